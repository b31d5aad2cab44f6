// `npm run agent -- codex`, as somebody uses it who tries things out.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codexPath, loopbackOnly } from '../testing/codex.ts';
import { FakeModel } from '../testing/fake-model.ts';
import { newFolder } from '../testing/folders.ts';
import { type LocalHub, startLocalHub } from '../testing/local-hub.ts';

const program = join(import.meta.dirname, '..', '..', 'clients', 'build', 'agent.ts');
const state = newFolder('agent');
let hub: LocalHub;
let model: FakeModel;

beforeAll(async () => {
  [hub, model] = await Promise.all([startLocalHub(), FakeModel.start()]);
});

afterAll(async () => {
  await hub.close();
  await model.stop();
  rmSync(state, { recursive: true, force: true });
});

/** Starts Codex for one prompt, with the settings that name the model. */
async function start(prompt: string): Promise<void> {
  const provider = `{name="Fake",base_url="${model.baseUrl}",wire_api="responses"}`;
  const settings = [
    'model="fake-model"',
    'model_provider="fake"',
    `model_providers.fake=${provider}`,
  ];
  const further = [
    'exec',
    '--skip-git-repo-check',
    ...settings.flatMap((it) => ['-c', it]),
    prompt,
  ];
  const ran = promisify(execFile)(
    process.execPath,
    [program, 'codex', '--hub', hub.url, '--state', state, '--', ...further],
    { env: { ...process.env, ...loopbackOnly, PATH: codexPath() } },
  );
  ran.child.stdin?.end();
  await ran;
}

test('it starts Codex with the plugin, and does so again after a change', async () => {
  await start('Hello.');
  await start('Hello again.');
  expect(model.requests).toHaveLength(2);
  for (const { tools } of model.requests) {
    expect(tools).toContainEqual({ name: 'join', namespace: 'mcp__tandry' });
  }
});
