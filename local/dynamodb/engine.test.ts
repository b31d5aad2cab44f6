// The engine's process and its file: what survives a crash, what ends, and what a bad start says.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Engine, startEngine } from './engine.ts';
import { EngineError } from './engine-error.ts';
import { prepareEngineFile } from './engine-file.ts';
import { ensureTable } from './tables.ts';
import { temporaryFolder, testTable } from './testing.ts';
import { createWireClient, dynamoDbService } from './wire.ts';

const { tableName } = testTable;
const enginePath = new URL('./engine.ts', import.meta.url).href;
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the code in another Node process, with `startEngine` and `folder` at hand. */
function script(code: string): string[] {
  const source = `import { startEngine } from ${JSON.stringify(enginePath)};
    const folder = ${JSON.stringify(folder)};
    ${code}`;
  return ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', source];
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

async function waitUntilGone(processId: number): Promise<void> {
  const deadlineMs = Date.now() + 5_000;
  while (isRunning(processId)) {
    if (Date.now() > deadlineMs) throw new Error(`process ${processId} is still there`);
    await delay(5);
  }
}

async function withClient<T>(
  engine: Engine,
  work: (call: (operation: string, body: object) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  const client = createWireClient(engine.endpoint);
  try {
    await ensureTable(client, testTable);
    return await work(async (operation, body) => {
      const answer = await client.call(`${dynamoDbService}.${operation}`, { ...body });
      if (answer.status >= 400) throw new Error(JSON.stringify(answer.body));
      return answer.body;
    });
  } finally {
    client.close();
  }
}

test('what was acknowledged is there after kill -9 and a restart', async () => {
  const item = { pk: { S: 'kept' }, sk: { S: 'x' } };
  const first = await startEngine({ folder });
  await withClient(first, async (call) => {
    await call('PutItem', { TableName: tableName, Item: item });
    process.kill(first.processId, 'SIGKILL');
  });
  await waitUntilGone(first.processId);
  await first.close();
  const second = await startEngine({ folder });
  const found = await withClient(second, (call) =>
    call('GetItem', { TableName: tableName, Key: item, ConsistentRead: true }),
  );
  await second.close();
  expect(found).toEqual({ Item: item });
});

test('closing ends the process', async () => {
  const engine = await startEngine({ folder });
  expect(isRunning(engine.processId)).toBe(true);
  await engine.close();
  await waitUntilGone(engine.processId);
});

test('the engine ends with the process that started it, even by kill -9', async () => {
  const code = 'process.stdout.write(String((await startEngine({ folder })).processId));';
  const parent = spawn(process.execPath, script(`${code} setInterval(() => {}, 1000);`), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(parent.stdout, 'data');
  const processId = Number(said);
  expect(isRunning(processId)).toBe(true);
  parent.kill('SIGKILL');
  await waitUntilGone(processId);
});

test('a damaged file is one clear line', async () => {
  writeFileSync(join(folder, 'dynamodb.sqlite'), 'no database at all, '.repeat(200));
  const start = startEngine({ folder });
  await expect(start).rejects.toThrow(EngineError);
  await expect(start).rejects.toThrow(/^The database file \S+ is damaged \(.+\): delete it/);
  await expect(start).rejects.not.toThrow(/\n/);
});

test('a file damaged somewhere inside is found as well', async () => {
  const engine = await startEngine({ folder });
  await withClient(engine, async (call) => {
    const items = Array.from({ length: 100 }, (_, n) => ({ pk: { S: 'p' }, sk: { S: String(n) } }));
    await call('TransactWriteItems', {
      TransactItems: items.map((Item) => ({ Put: { TableName: tableName, Item } })),
    });
  });
  await engine.close();
  const path = join(folder, 'dynamodb.sqlite');
  // Everything into the one file, and then half of it.
  prepareEngineFile(path);
  truncateSync(path, statSync(path).size / 2);
  await expect(startEngine({ folder })).rejects.toThrow(/is damaged/);
});

test('a second engine on the same file is refused, and does the first no harm', async () => {
  const first = await startEngine({ folder });
  await expect(startEngine({ folder })).rejects.toThrow(/is in use: is this stack running already/);
  expect(
    await withClient(first, (call) => call('DescribeTable', { TableName: tableName })),
  ).toBeDefined();
  await first.close();
});

test('a platform without the package hears how to get an engine', async () => {
  const code = `Object.defineProperty(process, 'arch', { value: 'abacus' });
    await startEngine({ folder }).catch((error) => process.stdout.write(error.message));`;
  const { stdout } = await promisify(execFile)(process.execPath, script(code));
  expect(stdout).toContain('-abacus is not installed');
  expect(stdout).toContain('AWS_ENDPOINT_URL_DYNAMODB');
  expect(stdout).not.toContain('\n');
});

test('a port in use is one clear line', async () => {
  const first = await startEngine({ folder });
  const port = Number(new URL(first.endpoint).port);
  const second = startEngine({ folder: join(folder, 'second'), port });
  await expect(second).rejects.toThrow(/^The DynamoDB engine stopped: .*in use/);
  await first.close();
});

test('a put costs no more time after 20,000 stream records than after 100', async () => {
  const engine = await startEngine({ folder });
  const [early, late] = await withClient(engine, async (call) => {
    let written = 0;
    const key = () => {
      written += 1;
      return { pk: { S: 'p' }, sk: { S: String(written) } };
    };
    const writeUntil = async (count: number) => {
      while (written < count) {
        const puts = Array.from({ length: 100 }, () => ({
          Put: { TableName: tableName, Item: key() },
        }));
        await call('TransactWriteItems', { TransactItems: puts });
      }
    };
    /** The lower decile: what a put takes when nothing else on the machine is in its way. */
    const quickPutMs = async () => {
      const tookMs: number[] = [];
      for (let round = 0; round < 41; round += 1) {
        const startedAt = performance.now();
        await call('PutItem', { TableName: tableName, Item: key() });
        tookMs.push(performance.now() - startedAt);
      }
      return tookMs.sort((a, b) => a - b)[4] ?? 0;
    };
    await writeUntil(100);
    const before = await quickPutMs();
    await writeUntil(20_000);
    return [before, await quickPutMs()];
  });
  await engine.close();
  expect(late).toBeLessThan(3 * early);
}, 60_000);
