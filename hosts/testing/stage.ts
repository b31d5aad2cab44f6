// What the tests of a host have at hand: the Hub, the model, Codex with the plugin, and rooms with
// somebody else in them.
import { expect } from 'vitest';
import { readRun } from '../../bridge/node/index.ts';
import type { Room, Seat } from '../../conformance/world.ts';
import type { AppServer } from './app-server.ts';
import { Codex } from './codex.ts';
import { FakeModel } from './fake-model.ts';
import { startLocalHub } from './local-hub.ts';
import { type ModelRequest, textOf } from './model-request.ts';
import { countNotices, order } from './obedience.ts';
import { buildPlugin } from './plugin.ts';

export type Stage = Awaited<ReturnType<typeof startStage>>;

export async function startStage() {
  const [hub, model, plugin] = await Promise.all([
    startLocalHub(),
    FakeModel.start(),
    buildPlugin(),
  ]);
  /** In the order in which things were started. */
  const closers: (() => unknown)[] = [hub.close, () => model.stop(), plugin.remove];
  /** Codex with a home of its own, where the device is signed in unless told otherwise. */
  async function install({ isSignedIn = true } = {}): Promise<Codex> {
    const { url, world } = hub;
    const codex = await Codex.install({
      plugin: plugin.folder,
      hub: url,
      model: model.baseUrl,
    });
    closers.push(() => codex.remove());
    if (isSignedIn) codex.signIn(url, await world.bob.token(), world.bob);
    return codex;
  }
  /** An app-server of it. */
  async function serve(codex: Codex): Promise<AppServer> {
    const server = await codex.startServer();
    closers.push(() => server.stop());
    return server;
  }
  return {
    ...{ hub, model, install, serve },
    /** Ends everything, whatever fails to end. */
    async close(): Promise<void> {
      for (const close of closers.splice(0).reverse()) {
        await (async () => close())().catch((error: unknown) => console.error(error));
      }
    },
  };
}

/** A new room with somebody in it, who has no process behind her. */
export async function newRoom({ hub, model }: Stage) {
  const { world } = hub;
  const room: Room = await world.newRoom(world.alice);
  const alice: Seat = await world.join(world.alice, room, { name: 'review' });
  /** Everybody but her, as she sees them. */
  async function others() {
    const { members } = await world.call('members', alice, {});
    return members.filter(({ me }) => !me);
  }
  /** What makes the model join, under the name `garden`. */
  const joinOrder = order('join', { room: room.code, intro: 'Plants trees.', name: 'garden' });
  /** Resolves when the one other member is online and no turn runs there. */
  async function idle(): Promise<void> {
    await expect.poll(others).toMatchObject([{ state: 'online', wakeable: true, busy: false }]);
  }
  return {
    ...{ others, joinOrder, idle },
    /** Whether a conversation that asks the model has joined here, or is to. */
    isHere: ({ body }: ModelRequest) => JSON.stringify(body).includes(room.code),
    say: (body: string) => world.say(alice, { to: '@room', body }),
    /** A thread that has joined and is idle. */
    async joinedThread(server: AppServer): Promise<string> {
      const thread = await server.startThread();
      await server.turn(thread, `Join a room. ${joinOrder}`);
      await idle();
      return thread;
    },
    /** Resolves when the plugin of that thread has heard how much is unread. */
    async unreadAt({ tandry }: Codex, thread: string, unread: number): Promise<void> {
      const conversation = { host: 'codex', conversation: thread } as const;
      await expect.poll(() => readRun({ home: tandry, conversation })).toMatchObject({ unread });
    },
    /** How many notices a thread was ever given, as the model has seen it. */
    notices: (thread: string) => countNotices(model.transcript(thread).map(textOf).join('\n')),
  };
}
