import { describe, expect, test } from 'vitest';
import { compileFilters } from './filter.ts';

const record = (eventName: string, pk: string, sk: string) => ({
  eventName,
  dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } } },
});
const log = record('INSERT', 'ROOM#r1', 'LOG#7');
const passes = (pattern: object, event: object = log) =>
  compileFilters([JSON.stringify(pattern)])(event);
const sortKey = (...rules: unknown[]) => ({ dynamodb: { Keys: { sk: { S: rules } } } });

describe('a pattern', () => {
  test.each([
    ['equals', { eventName: ['INSERT'] }, true],
    ['one of several', { eventName: ['REMOVE', 'INSERT'] }, true],
    ['none of several', { eventName: ['REMOVE', 'MODIFY'] }, false],
    ['prefix', sortKey({ prefix: 'LOG#' }), true],
    ['another prefix', sortKey({ prefix: 'LINK#' }), false],
    ['suffix', sortKey({ suffix: '#7' }), true],
    ['equals-ignore-case', sortKey({ 'equals-ignore-case': 'log#7' }), true],
    ['exists', { dynamodb: { Keys: { pk: { S: [{ exists: true }] } } } }, true],
    ['exists, absent', { dynamodb: { NewImage: { ttl: { N: [{ exists: true }] } } } }, false],
    ['does not exist', { userIdentity: { type: [{ exists: false }] } }, true],
    ['anything but', { eventName: [{ 'anything-but': ['REMOVE'] }] }, true],
    ['anything but, found', { eventName: [{ 'anything-but': ['INSERT', 'REMOVE'] }] }, false],
    ['anything but a prefix', sortKey({ 'anything-but': { prefix: 'LOG#' } }), false],
    ['anything but, absent', { eventID: [{ 'anything-but': 'x' }] }, false],
    ['all fields', { eventName: ['INSERT'], ...sortKey('LOG#7') }, true],
    ['not all fields', { eventName: ['INSERT'], ...sortKey('LOG#8') }, false],
    ['one branch', { $or: [{ eventName: ['MODIFY'] }, sortKey('LOG#7')] }, true],
    ['no branch', { $or: [{ eventName: ['MODIFY'] }, sortKey('LOG#8')] }, false],
  ])('%s', (_, pattern, expected) => {
    expect(passes(pattern)).toBe(expected);
  });

  test('that uses anything else is refused at the start', () => {
    expect(() => passes(sortKey({ cidr: '10.0.0.0/8' }))).toThrow('cidr');
    expect(() => passes({ eventName: 'INSERT' })).toThrow('INSERT');
    expect(() => passes({ eventName: [] })).toThrow('[]');
    expect(() => passes(sortKey({ prefix: 'a', suffix: 'b' }))).toThrow('suffix');
  });
});

test('a record passes when one of several patterns matches, or when there are none', () => {
  const both = compileFilters([
    JSON.stringify({ eventName: ['REMOVE'] }),
    JSON.stringify({ eventName: ['INSERT'] }),
  ]);
  expect(both(log)).toBe(true);
  expect(both(record('MODIFY', 'a', 'b'))).toBe(false);
  expect(compileFilters([])(log)).toBe(true);
});
