// `npm run conformance`: plays every scenario against a Hub and prints which of them it passes.
import { parseArgs } from 'node:util';
import { readHubRecord } from '../local/hub-record.ts';
import { HubError } from '../protocol/errors.ts';
import type { Account } from './client.ts';
import { httpClient, rawHttp } from './http-client.ts';
import { localAccounts, newHandle } from './local-accounts.ts';
import { mcpChats } from './mcp-chats.ts';
import { play, reasonNotToPlay, type Stage, stagesOf } from './play.ts';
import { isPass, type Outcome, outcomeLines, type Played, summaryLines } from './report.ts';
import { roomLinks } from './room-links.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import type { LinkWorld } from './world.ts';

const usage = `Usage: npm run conformance -- [--hub URL] [--account NAME=TOKEN ...]

Plays the protocol's scenarios against a Hub (default http://127.0.0.1:8799). Rooms are made for it
and deleted afterwards.

  --hub URL              The Hub
  --account NAME=TOKEN   A website token of an account that has a handle; three of them for all
                         scenarios. Without any, accounts are made at a Hub of this checkout.
  --help                 Show this`;

/** Something the person who started this has to change; the message is one line. */
class UsageError extends Error {}

/** Accounts to play with, and how to make more, if that can be done. */
type Cast = Pick<Stage, 'accounts' | 'newAccount'>;

function readArguments() {
  const options = {
    hub: { type: 'string', default: 'http://127.0.0.1:8799' },
    account: { type: 'string', multiple: true, default: [] as string[] },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    return { ...values, url: new URL(values.hub).origin };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : usage);
  }
}

async function requireHub(url: string): Promise<void> {
  const { status } = await rawHttp(url)({ method: 'GET', path: '/health' }).catch(() => ({
    status: 0,
  }));
  if (status !== 200) throw new UsageError(`No Hub answers at ${url}.`);
}

async function givenAccount(url: string, given: string): Promise<Account> {
  const [name = '', ...rest] = given.split('=');
  const token = rest.join('=');
  if (token === '') throw new UsageError(`--account takes NAME=TOKEN, not ${name}`);
  const nobody = { id: '', handle: null, token: async () => token };
  const { account } = await httpClient(url).call('status', { account: nobody }, {});
  if (account.handle === null) throw new UsageError(`The account ${name} has no handle yet.`);
  return { ...nobody, ...account };
}

async function findCast(url: string, given: readonly string[]): Promise<Cast> {
  if (given.length > 0) {
    const accounts = await Promise.all(given.map((account) => givenAccount(url, account)));
    if (new Set(accounts.map(({ id }) => id)).size === accounts.length) return { accounts };
    throw new UsageError('Two of the tokens are of the same account.');
  }
  const record = readHubRecord(url);
  if (record === undefined) {
    throw new UsageError(`${url} is no Hub of this checkout: give its tokens with --account.`);
  }
  const { newAccount } = localAccounts(record);
  const handles = [newHandle(), newHandle(), newHandle()];
  return { accounts: await Promise.all(handles.map((handle) => newAccount(handle))), newAccount };
}

async function outcomeOf(scenario: Scenario<LinkWorld>, stage: Stage): Promise<Outcome> {
  const reason = reasonNotToPlay(scenario, stage);
  if (reason !== undefined) return { kind: 'not run', reason };
  const startedMs = performance.now();
  try {
    await play(scenario, stage);
    return { kind: 'passed', ms: performance.now() - startedMs };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Plays what is of the stage's binding, telling how it goes; gives the outcomes. */
async function playAll(stage: Stage): Promise<readonly (readonly [Played, Outcome])[]> {
  const { binding } = stage.client;
  console.log(`over ${binding}`);
  const outcomes: [Played, Outcome][] = [];
  for (const scenario of scenarios.filter(({ bindings }) => bindings.includes(binding))) {
    const outcome = await outcomeOf(scenario, stage);
    outcomes.push([scenario, outcome]);
    console.log(outcomeLines(scenario, outcome).join('\n'));
  }
  console.log();
  return outcomes;
}

async function main(): Promise<boolean> {
  const { url, account, help } = readArguments();
  if (help) {
    console.log(usage);
    return true;
  }
  await requireHub(url);
  const stage: Stage = {
    client: httpClient(url),
    http: rawHttp(url),
    links: roomLinks(url),
    chats: mcpChats(url),
    ...(await findCast(url, account)),
  };
  const { accounts } = stage;
  console.log(`${url} as ${accounts.map(({ handle }) => handle).join(', ')}\n`);
  const all = [];
  for (const each of Object.values(stagesOf(stage)))
    all.push({ each, outcomes: await playAll(each) });
  for (const { each, outcomes } of all) {
    console.log(summaryLines(outcomes, each.client.binding).join('\n'));
  }
  return isPass(all.flatMap(({ outcomes }) => outcomes));
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof HubError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 2;
}
