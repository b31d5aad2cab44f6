// A thread whose turns end without a word, in accelerated time.
import { expect, test } from 'vitest';
import { createRig, until } from '../../bridge/testing/rig.ts';
import { wakeRetryDelaysMs } from '../../bridge/wake/runner.ts';
import { CodexConversation } from './conversation.ts';
import { turnSilenceMs } from './turn.ts';

async function createJoinedThread(refusal?: Error) {
  const rig = await createRig();
  await rig.signIn();
  const queued: string[] = [];
  const thread = rig.conversation;
  const conversation = new CodexConversation(thread, {
    clock: rig.clock,
    queue: async (_thread, prompt) => {
      queued.push(prompt);
      if (refusal !== undefined) throw refusal;
    },
    createBridge: ({ shell, folder }) =>
      rig.createAnother({ shell, folder: () => folder() ?? rig.home }),
  });
  const hook = (event: string) =>
    conversation.hook({ thread, event, session: thread, cwd: rig.home });
  await hook('SessionStart');
  await conversation.call('join', { room: rig.room.shownCode, intro: 'x', name: 'hub' }, false);
  await until(() => rig.member().wakeable === true);
  return {
    ...{ rig, queued, conversation, hook },
    /** Somebody says something, and the bridge hears it. */
    async hear(body: string): Promise<void> {
      const heard = rig.hub.links.received.length;
      rig.hub.say(rig.room, rig.alice, { body });
      // The answer to a ping comes after the notice.
      rig.clock.advance(60_000);
      await until(() => rig.hub.links.received.length > heard);
      await rig.quiet();
    },
  };
}

test('a turn that failed counts as over after ten minutes of silence', async () => {
  const { rig, queued, hook, hear } = await createJoinedThread();
  await hook('UserPromptSubmit');
  await hear('one');
  await rig.pass(turnSilenceMs / 60_000 - 2);
  expect(queued).toEqual([]);
  await rig.pass(2);
  await until(() => queued.length === 1);
  expect(queued).toEqual([expect.stringMatching(/^Tandry: 1 unread message/)]);
});

test('a long turn that shows signs of life is left alone', async () => {
  const { rig, queued, hook, hear, conversation } = await createJoinedThread();
  await hook('UserPromptSubmit');
  await rig.pass(9);
  expect(await hook('PostToolUse')).toBe('{}');
  await rig.pass(9);
  await conversation.call('members', {}, false);
  await hear('one');
  await rig.pass(8);
  expect(queued).toEqual([]);
  expect(await hook('Stop')).toContain('block');
  await rig.pass(1);
  expect(queued).toEqual([]);
});

test('when Codex never takes a notice, the Hub knows it, and the next turn brings it', async () => {
  const refusal = new Error('this thread has not had its first turn yet.');
  const { rig, queued, hook, hear } = await createJoinedThread(refusal);
  await hook('Stop');
  await hear('one');
  for (const delayMs of wakeRetryDelaysMs) {
    await until(() => rig.clock.delaysMs.includes(delayMs));
    rig.clock.advance(delayMs);
  }
  await until(() => queued.length === 4);
  await until(() => rig.member().wakeable === false);
  expect(await hook('PostToolUse')).toMatch(/Tandry: 1 unread message/);
});

test('after the end nothing is left that would keep the process alive', async () => {
  const { rig, conversation } = await createJoinedThread();
  await conversation.dispose();
  await until(() => rig.linkCount() === 0);
  expect(rig.clock.delaysMs).toEqual([]);
});
