// One room that sequence after sequence runs in: does what the steps say, keeps the reference, and
// compares everything the Hub shows with it whenever a sequence is over.
import { HubError } from '../../../protocol/errors.ts';
import type { HostKind } from '../../../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../../protocol/operations/index.ts';
import type { Caller, TestHub } from '../../testing/test-hub.ts';
import { expectSame, fail, pick, withBody } from './expect-same.ts';
import { Reference, type Said, type Stay } from './reference.ts';
import type { Step } from './steps.ts';

const workspace = { repo: '', branch: '' };
const hosts: readonly HostKind[] = ['codex', 'chatgpt-web', 'claude'];
const maxMembers = 6;
const patience = 20;
/** After each sequence every third member looks at everything; at the end all do. */
const turns = 3;

/** Steps of one round must not pull the rug from under each other's expectations. */
interface Round {
  /** Stays that left, moved or are consuming in this round. */
  readonly touched: Set<Stay>;
  readonly before: ReadonlySet<Stay>;
  readonly joined: Stay[];
  readonly left: Stay[];
}

export class Lane {
  readonly #h: TestHub;
  readonly #accounts: readonly string[];
  readonly #reference = new Reference();
  #room = '';
  #code = '';
  #names = 0;
  #sequences = 0;
  operations = 0;

  constructor(h: TestHub, number: number) {
    this.#h = h;
    this.#accounts = ['a', 'b', 'c'].map((name) => `lane${number}_${name}`);
  }

  async open(): Promise<void> {
    for (const account of this.#accounts) {
      await this.#call('claim_handle', { account }, { handle: account });
    }
    this.#room = this.#h.newId('r_');
    const made = await this.#call(
      'new_room',
      { account: this.#owner },
      {
        id: this.#room,
        name: 'Lane',
        description: '',
      },
    );
    this.#code = made.code;
    for (let i = 0; i < 3; i += 1) await this.#join({ kind: 'join', who: i, whom: 0, what: i });
  }

  get #owner(): string {
    return this.#accounts[0] ?? '';
  }

  /** Runs rounds one after the other, the steps of each at once, then compares. */
  async run(rounds: readonly (readonly Step[])[]): Promise<void> {
    for (const steps of rounds) {
      const round: Round = {
        touched: new Set(),
        before: new Set(this.#reference.present),
        joined: [],
        left: [],
      };
      const planned = steps.map((step) => this.#plan(step, round));
      await Promise.all(planned.map((act) => act()));
    }
    this.#sequences += 1;
    const isTurn = (_: Stay, index: number) => (index + this.#sequences) % turns === 0;
    await this.#compare(this.#reference.present.filter(isTurn));
  }

  /** Repeats what ended in `unavailable`: every operation here is safe to repeat. */
  async #call<Name extends OperationName>(
    operation: Name,
    caller: Caller,
    input: OperationRequest<Name>,
  ): Promise<OperationResult<Name>> {
    for (let attempt = 1; ; attempt += 1) {
      this.operations += 1;
      try {
        return await this.#h.call(operation, caller, input);
      } catch (error) {
        const isPassing = error instanceof HubError && error.code === 'unavailable';
        if (!isPassing || attempt >= patience) throw error;
      }
    }
  }

  /** Decides at the start of a round who does what; a step that cannot be done does nothing. */
  #plan(step: Step, round: Round): () => Promise<void> {
    const idle = async () => {};
    const who = pick(this.#reference.present, step.who);
    if (step.kind === 'join') {
      return this.#reference.present.length + round.joined.length < maxMembers
        ? () => this.#join(step, round)
        : idle;
    }
    if (who === undefined || round.touched.has(who)) return idle;
    const acts: Readonly<
      Record<Exclude<Step['kind'], 'join'>, () => (() => Promise<void>) | undefined>
    > = {
      say: () => () => this.#say(who, step, round, false),
      'say to room': () => () => this.#sayToRoom(who, round),
      whisper: () => () => this.#say(who, step, round, true),
      reply: () => () => this.#reply(who, step),
      repeat: () => () => this.#repeat(who, step),
      delete: () => () => this.#delete(step),
      'join again': () => this.#alone(who, round, () => this.#joinAgain(who)),
      inbox: () => this.#alone(who, round, () => this.#inbox(who)),
      read: () => this.#alone(who, round, () => this.#read(who)),
      leave: () => this.#alone(who, round, () => this.#leave(who, round)),
      rename: () => this.#alone(who, round, () => this.#rename(who)),
      continue: () => this.#alone(who, round, () => this.#continue(who)),
    };
    return acts[step.kind]() ?? idle;
  }

  #alone(who: Stay, round: Round, act: () => Promise<void>): () => Promise<void> {
    round.touched.add(who);
    return act;
  }

  async #join({ who, what }: Step, round?: Round): Promise<void> {
    const account = this.#accounts[who % this.#accounts.length] ?? this.#owner;
    const host = hosts[what % hosts.length] ?? 'codex';
    const caller = { account, room: this.#room, host, conversation: this.#newName('c') };
    const name = this.#newName('m');
    const stay: Stay = {
      caller,
      isPull: host === 'chatgpt-web',
      address: `${account}/${name}`,
      isPresent: false,
      position: 0,
    };
    this.#reference.expect(stay);
    round?.joined.push(stay);
    const { member, history } = await this.#call('join', caller, {
      code: this.#code,
      intro: 'Hi.',
      name,
      workspace,
    });
    expectSame('the name of a new member', member, stay.address);
    const intro = history.findLast(({ from, kind }) => from === member && kind === 'intro');
    this.#reference.join(stay, intro?.seq ?? Number.NaN);
    this.#reference.delivered.set(stay, []);
  }

  #newName(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  /** Sends, and enters what the answer says of the recipients. */
  async #send(
    from: Stay,
    input: Omit<OperationRequest<'send'>, 'id' | 'body'>,
    isDm: boolean,
    repliedTo?: Said,
  ): Promise<Said | undefined> {
    const id = this.#h.newId('m_');
    const body = `body of ${id}`;
    try {
      const sent = await this.#call('send', from.caller, { id, body, ...input });
      const to = sent.recipients.map(({ address }) => this.#reference.of(address));
      const said: Said = {
        id,
        seq: sent.seq,
        from,
        to,
        isDm,
        body,
        isDeleted: false,
        repliedBy: new Set(),
      };
      this.#reference.say(said);
      repliedTo?.repliedBy.add(from);
      return said;
    } catch (error) {
      // The sender, or whom it meant, left or moved in the same round.
      if (error instanceof HubError && refusable.has(error.code)) return undefined;
      throw error;
    }
  }

  async #say(from: Stay, { whom, what }: Step, round: Round, dm: boolean): Promise<void> {
    const others = [...round.before].filter((stay) => stay !== from);
    const to = [pick(others, whom), pick(others, what)].filter((stay) => stay !== undefined);
    if (to.length === 0) return;
    const said = await this.#send(from, { to: to.map(({ address }) => address), dm }, dm);
    if (said === undefined) return;
    expectSame('recipients', new Set(said.to), new Set(to));
  }

  async #sayToRoom(from: Stay, round: Round): Promise<void> {
    const said = await this.#send(from, { to: '@room' }, false);
    if (said === undefined) return;
    const possible = new Set([...round.before, ...round.joined]);
    const certain = [...round.before].filter((stay) => stay !== from && !round.left.includes(stay));
    for (const stay of said.to) if (!possible.has(stay)) fail(`${stay.address} was not there`);
    for (const stay of certain) if (!said.to.includes(stay)) fail(`${stay.address} was left out`);
    if (said.to.includes(from)) fail('the sender was among the recipients');
  }

  async #reply(from: Stay, { what }: Step): Promise<void> {
    const answered = pick(this.#reference.visible(from).slice(-20), what);
    if (answered === undefined) return;
    await this.#send(from, { to: [], replyTo: answered.id }, answered.isDm, answered);
  }

  /** The same ID again: the first answer, and nothing happens. */
  async #repeat(who: Stay, { what }: Step): Promise<void> {
    const mine = this.#reference.said.filter(({ from }) => from === who).slice(-10);
    const said = pick(mine, what);
    if (said === undefined) return;
    const stolen = this.#call('send', who.caller, { id: said.id, to: [], body: 'something else' });
    const code = await stolen.then(
      () => 'taken',
      (error) => error.code,
    );
    expectSame('a message under a used ID', code, 'invalid_input');
  }

  async #delete({ what }: Step): Promise<void> {
    const said = pick(this.#reference.said.slice(-10), what);
    if (said === undefined) return;
    // From now on it may be gone from any answer of the same round.
    await this.#call(
      'delete_message',
      { account: said.from.caller.account, room: this.#room },
      { id: said.id },
    )
      .then(() => {
        said.isDeleted = true;
      })
      .catch((error) => {
        if (!(error instanceof HubError) || error.code !== 'forbidden') throw error;
      });
  }

  async #joinAgain({ caller, address }: Stay): Promise<void> {
    try {
      const { outcome, member } = await this.#call('join', caller, {
        code: this.#code,
        intro: 'Hi.',
        workspace,
      });
      if (outcome === 'joined') fail(`${address} was joined twice`);
      this.#reference.of(member);
    } catch (error) {
      if (!(error instanceof HubError) || !refusable.has(error.code)) throw error;
    }
  }

  async #inbox(who: Stay): Promise<void> {
    const { messages } = await this.#call('inbox', who.caller, {});
    if (!who.isPull) return;
    this.#reference.delivered.get(who)?.push(...messages.map(({ id }) => id));
    who.position = Math.max(who.position, messages.at(-1)?.seq ?? 0);
  }

  async #read(who: Stay): Promise<void> {
    const { messages, upTo } = await this.#call('inbox', who.caller, {});
    if (who.isPull) {
      this.#reference.delivered.get(who)?.push(...messages.map(({ id }) => id));
      who.position = Math.max(who.position, upTo);
      return;
    }
    const middle = messages[Math.floor(messages.length / 2)];
    const { readSeq } = await this.#call('read', who.caller, { upTo: middle?.seq ?? 0 });
    if (readSeq < who.position) fail(`the position of ${who.address} moved back`);
    who.position = Math.max(who.position, middle?.seq ?? 0);
  }

  async #leave(who: Stay, round: Round): Promise<void> {
    round.left.push(who);
    await this.#call('leave', who.caller, {}).catch((error) => {
      // A repeat after a lost answer finds that it happened.
      if (!(error instanceof HubError) || error.code !== 'not_in_room') throw error;
    });
    who.isPresent = false;
  }

  async #rename(who: Stay): Promise<void> {
    const name = this.#newName('r');
    // Both names are its own until the answer is there.
    this.#reference.rename(who, `${who.caller.account}/${name}`);
    await this.#call('rename', who.caller, { name });
  }

  async #continue(who: Stay): Promise<void> {
    const former = who.caller;
    const next = { ...former, conversation: this.#newName('c') };
    const name = who.address.split('/')[1] ?? '';
    await this.#call('join', next, { code: this.#code, intro: 'On.', as: name, workspace });
    Object.assign(who, { caller: next });
    const code = await this.#call('read', former, { upTo: 0 }).then(
      () => 'read',
      (error) => error.code,
    );
    expectSame('a call of a former conversation', code, 'not_in_room');
  }

  /** Compares for everybody: once all sequences are over. */
  finish(): Promise<void> {
    return this.#compare(this.#reference.present);
  }

  /** What the Hub shows these members against what it must show. */
  async #compare(members: readonly Stay[]): Promise<void> {
    await Promise.all(members.map((stay) => this.#compareMember(stay)));
    // Reading mail moves positions of pull members, and with them everybody's counts.
    await Promise.all(members.map((stay) => this.#compareMail(stay)));
    await this.#compareObserver();
  }

  async #compareMember(stay: Stay): Promise<void> {
    const [{ members }, { messages: history }] = await Promise.all([
      this.#call('members', stay.caller, {}),
      this.#call('history', stay.caller, {}),
    ]);
    for (const view of members) {
      const other = this.#reference.of(view.address);
      const expected = this.#reference.unreadFrom(stay, other);
      expectSame(`unreadFromMe of ${view.address}`, view.unreadFromMe, expected);
    }
    const shown = history.filter(({ kind }) => kind === 'text');
    const visible = this.#reference.visible(stay);
    const expected = shown.length === 0 ? [] : visible.slice(-shown.length);
    expectSame(
      'history',
      shown.map(withBody),
      expected.map((said) => [said.id, said.isDeleted ? '' : said.body]),
    );
    if (shown.length < history.length && history.length < 30) {
      expectSame('whole history', shown.length, visible.length);
    }
  }

  async #compareMail(stay: Stay): Promise<void> {
    const unread = this.#reference.unread(stay);
    const { messages, remaining } = await this.#call('inbox', stay.caller, {});
    const batch = unread.slice(0, 20);
    expectSame(
      `inbox of ${stay.address}`,
      messages.map(withBody),
      batch.map(({ id, body }) => [id, body]),
    );
    expectSame('remaining', remaining?.unread ?? 0, unread.length - batch.length);
    if (!stay.isPull) return;
    const delivered = this.#reference.delivered.get(stay) ?? [];
    delivered.push(...messages.map(({ id }) => id));
    expectSame('deliveries to a pull member', delivered.length, new Set(delivered).size);
    stay.position = Math.max(stay.position, messages.at(-1)?.seq ?? 0);
  }

  /** The owner's account sees states, and no dm of others. */
  async #compareObserver(): Promise<void> {
    const owner = { account: this.#owner, room: this.#room };
    const { messages } = await this.#call('history', owner, {});
    for (const view of messages.filter(({ kind }) => kind === 'text')) {
      const said = this.#reference.said.find(({ id }) => id === view.id);
      if (said === undefined) return fail(`${view.id} was never said`);
      const own = [said.from, ...said.to].some(({ caller }) => caller.account === this.#owner);
      if (said.isDm && !own) fail(`a stranger sees the dm ${said.id}`);
      const states = new Map(
        view.recipients?.map(({ address, state }) => [this.#reference.of(address), state]),
      );
      expectSame('recipients', new Set(states.keys()), new Set(said.to));
      for (const reader of said.to) {
        expectSame(
          `state of ${reader.address}`,
          states.get(reader),
          this.#reference.stateOf(said, reader),
        );
      }
    }
  }
}

/** What a step may be told when another one of its round was quicker. */
const refusable: ReadonlySet<string> = new Set(['no_such_member', 'not_in_room', 'invalid_input']);
