// A report counts what happened and never takes what was not run for passed.
import { expect, test } from 'vitest';
import { isPass, type Outcome, outcomeLines, type Played, summaryLines } from './report.ts';
import { requirements } from './requirements.ts';

const played: Played = { title: 'a member leaves', cites: ['leave.left', 'leave.final'] };
const passed: Outcome = { kind: 'passed', ms: 12.4 };
const failed: Outcome = { kind: 'failed', error: new Error('first line\nsecond line') };
const notRun: Outcome = { kind: 'not run', reason: 'needs three accounts' };

test('each outcome has its lines; a failure says why and what it is about', () => {
  expect(outcomeLines(played, passed)).toEqual(['  ✓ a member leaves (12 ms)']);
  expect(outcomeLines(played, notRun)).toEqual([
    '  – a member leaves: not run: needs three accounts',
  ]);
  const textOf = (id: string) => requirements.find((it) => it.id === id)?.text;
  expect(outcomeLines(played, failed)).toEqual([
    '  ✗ a member leaves',
    '      first line',
    '      second line',
    `      leave.left: ${textOf('leave.left')}`,
    `      leave.final: ${textOf('leave.final')}`,
  ]);
});

test('the summary counts scenarios and the requirements they show', () => {
  const other: Played = { title: 'another', cites: ['leave.final', 'members.order'] };
  const unseen: Played = { title: 'a third', cites: ['send.repeat'] };
  const [scenarios, byRequirement] = summaryLines(
    [
      [played, passed],
      [other, failed],
      [unseen, notRun],
    ],
    'http',
  );
  expect(scenarios).toBe('over http: 1 passed, 1 failed, 1 not run');
  expect(byRequirement).toMatch(/binding 1 were seen to hold, 2 may be broken, \d+ were not seen/);
});

test.each<[string, Outcome[], boolean]>([
  ['everything passed', [passed, passed], true],
  ['something was not run', [passed, notRun], true],
  ['something failed', [passed, failed, notRun], false],
  ['nothing was run', [notRun, notRun], false],
  ['there was nothing', [], false],
])('when %s the verdict is right', (_when, outcomes, verdict) => {
  expect(isPass(outcomes.map((outcome) => [played, outcome] as const))).toBe(verdict);
});
