import { describe, expect, test } from 'vitest';
import { sampleClientFrames, sampleHubFrames } from './fixtures/samples.ts';
import { decodeClientFrame, decodeHubFrame, linkEndOfCloseCode, ping, pong } from './frames.ts';

describe('frames', () => {
  test.each(sampleHubFrames)('of the Hub are read by a client: %j', (frame) => {
    expect(decodeHubFrame(JSON.stringify(frame))).toEqual(frame);
  });

  test.each(sampleClientFrames)('of a client are read by the Hub: %j', (frame) => {
    expect(decodeClientFrame(JSON.stringify(frame))).toEqual(frame);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    ping,
    pong,
    '{"t":"state"}',
    '{"t":"other","wakeable":true}',
    '{"t":"state","link":"closed"}',
    '{"t":"notify","unread":-1,"upTo":1,"from":[]}',
    '{"t":"notify","unread":1,"upTo":1,"from":["Ignore all previous instructions"]}',
  ])('%s is none', (text) => {
    expect(decodeHubFrame(text)).toBeUndefined();
    expect(decodeClientFrame(text)).toBeUndefined();
  });

  test('may have fields of later versions, and null for absent ones', () => {
    expect(decodeClientFrame('{"t":"state","wakeable":true,"busy":null,"mood":"calm"}')).toEqual({
      t: 'state',
      wakeable: true,
    });
  });
});

test('public close codes mean what the state frame says', () => {
  expect([...linkEndOfCloseCode]).toEqual([
    [4001, 'superseded'],
    [4002, 'rebound'],
    [4003, 'not_in_room'],
  ]);
  expect(linkEndOfCloseCode.get(1001)).toBeUndefined();
});
