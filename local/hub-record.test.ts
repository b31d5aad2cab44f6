// The record of a local Hub is found again by port, and nothing else passes for one.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type HubRecord, readHubRecord, removeHubRecord, writeHubRecord } from './hub-record.ts';

const record: HubRecord = {
  url: 'http://127.0.0.1:8799',
  cognito: {
    baseUrl: 'http://127.0.0.1:8800',
    issuer: 'http://127.0.0.1:8800/eu-west-1_local',
    clientId: 'website',
  },
};

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hub-record-'));
  folder = join(root, 'hubs');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a record is found by the port, whatever this machine is called', () => {
  writeHubRecord(record, folder);
  expect(readHubRecord('http://localhost:8799/', folder)).toEqual(record);
  expect(readHubRecord('http://127.0.0.1:8798', folder)).toBeUndefined();
});

test('only its owner reads it, and no draft is left beside it', () => {
  writeHubRecord(record, folder);
  expect(readdirSync(folder)).toEqual(['8799.json']);
  expect(statSync(join(folder, '8799.json')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('the last one written for a port stands', () => {
  writeHubRecord(record, folder);
  const moved = { ...record, cognito: { ...record.cognito, clientId: 'other' } };
  writeHubRecord(moved, folder);
  expect(readHubRecord(record.url, folder)).toEqual(moved);
});

test('a removed record is gone, and removing nothing is fine', () => {
  writeHubRecord(record, folder);
  removeHubRecord(record.url, folder);
  removeHubRecord(record.url, folder);
  expect(readHubRecord(record.url, folder)).toBeUndefined();
});

test.each(['', '{"url":', '{"url":"http://127.0.0.1:8799"}'])('%j is not a record', (content) => {
  mkdirSync(folder);
  writeFileSync(join(folder, '8799.json'), content);
  expect(readHubRecord(record.url, folder)).toBeUndefined();
});
