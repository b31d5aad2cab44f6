// What the hook costs a conversation that never joined, against a program that does nothing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { median } from '../../../bench/statistics.ts';
import { builtPackage } from '../../testing/built.ts';
import { claude } from '../package.ts';

const market = await builtPackage(claude);

const maxRatio = 1.3;
const pairs = 25;

/** Loaded into both programs: says what the process cost, which other loads hardly change. */
const meter = `
process.once('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, String((user + system) / 1000));
});`;

interface Cost {
  readonly cpuMs: number;
  readonly wallMs: number;
}

test('it takes at most 1.3 times as long', () => {
  const home = mkdtempSync(join(tmpdir(), 'tandry-cost-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [empty, preloaded] = [join(home, 'empty.cjs'), join(home, 'meter.cjs')];
  writeFileSync(empty, '');
  writeFileSync(preloaded, meter);
  const hook = join(market, 'plugins', 'tandry', 'dist', 'hook.cjs');
  const input = JSON.stringify({
    session_id: '0a1b2c3d-4e5f-6789-abcd-ef0123456789',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
    tool_response: { stdout: 'x'.repeat(2_000) },
  });
  const env = { ...process.env, TANDRY_HOME: join(home, 'tandry') };
  function run(program: string): Cost {
    const beforeMs = performance.now();
    const arguments_ = ['--require', preloaded, program];
    const { status, stdout, stderr } = spawnSync(process.execPath, arguments_, { input, env });
    const wallMs = performance.now() - beforeMs;
    expect([status, String(stdout)]).toEqual([0, '']);
    return { wallMs, cpuMs: Number(stderr) };
  }
  run(empty);
  run(hook);
  const [nothing, ours]: [Cost[], Cost[]] = [[], []];
  for (let pair = 0; pair < pairs; pair += 1) {
    nothing.push(run(empty));
    ours.push(run(hook));
  }
  const cpuMs = (costs: readonly Cost[]) => median(costs.map((cost) => cost.cpuMs));
  const wallMs = (costs: readonly Cost[]) => median(costs.map((cost) => cost.wallMs));
  const ratio = cpuMs(ours) / cpuMs(nothing);
  console.log(
    `hook ${wallMs(ours).toFixed(1)} ms, empty script ${wallMs(nothing).toFixed(1)} ms; of the ` +
      `processor ${cpuMs(ours).toFixed(1)} and ${cpuMs(nothing).toFixed(1)} ms: ` +
      `${ratio.toFixed(2)} times`,
  );
  expect(ratio).toBeLessThanOrEqual(maxRatio);
}, 120_000);
