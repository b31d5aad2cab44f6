// The suite against the whole Hub on this machine: every scenario is one test.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Stack, startStack } from '../local/stack.ts';
import { playedBindings } from './client.ts';
import { httpClient, rawHttp } from './http-client.ts';
import { localAccounts, newHandle } from './local-accounts.ts';
import { mcpChats } from './mcp-chats.ts';
import { play, reasonNotToPlay, type Stage, stagesOf } from './play.ts';
import { roomLinks } from './room-links.ts';
import { scenarios } from './scenarios.ts';

/** The longest takes some seconds on an idle machine. */
const playMs = 120_000;

let stack: Stack;
let stage: Stage;

beforeAll(async () => {
  stack = await startStack({ mode: 'worker' });
  const { url, cognito } = stack;
  const clientId = stack.outputs['WebsiteClientId'];
  if (cognito === undefined || clientId === undefined) throw new Error('nobody can sign in here');
  const { newAccount, renewTokens } = localAccounts({ url, cognito: { ...cognito, clientId } });
  const handles = [newHandle(), newHandle(), newHandle()];
  stage = {
    client: httpClient(url),
    http: rawHttp(url),
    links: roomLinks(url),
    chats: mcpChats(url),
    accounts: await Promise.all(handles.map(newAccount)),
    newAccount,
    advanceMs: (ms) => {
      stack.clock.advance(ms);
      renewTokens();
    },
  };
});

afterAll(async () => {
  await stage?.chats.close();
  await stack.close();
});

describe.each(playedBindings)('over %s', (binding) => {
  let own: Stage;
  beforeAll(() => {
    own = stagesOf(stage)[binding];
  });
  const played = scenarios.filter(({ bindings }) => bindings.includes(binding));
  test.each(played.map((scenario) => [scenario.title, scenario] as const))(
    '%s',
    async (_title, scenario) => {
      expect(reasonNotToPlay(scenario, own)).toBeUndefined();
      await play(scenario, own);
    },
    playMs,
  );
});
