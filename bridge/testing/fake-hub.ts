// For tests of the bridge and of clients: a Hub that does what it is told, on a free port. It
// speaks the real envelopes and frames, keeps everything in memory, and records what it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HubError, httpStatusOf } from '../../protocol/errors.ts';
import { formatRoomCode } from '../../protocol/ids.ts';
import {
  isOperationName,
  type OperationName,
  parseInput,
} from '../../protocol/operations/index.ts';
import { decodeRequest, failure, type HeaderRecord, success } from '../../protocol/wire.ts';
import { FakeLinks, headersOf } from './fake-links.ts';
import { type FakeCall, FakeState, perform } from './fake-operations.ts';
import {
  addressOf,
  type FakeMember,
  type FakeRoom,
  makeRoom,
  type Said,
  say,
} from './fake-rooms.ts';

/** What happens to one request instead of the usual. */
export type Fault =
  | { kind: 'lose_request' }
  /** It is performed, but the connection breaks before the answer. */
  | { kind: 'lose_answer' }
  | { kind: 'answer'; status: number; body: string }
  /** It is performed once `until` resolves. */
  | { kind: 'hold'; until: Promise<unknown> }
  /** It is performed at once and answered once `until` resolves. */
  | { kind: 'hold_answer'; until: Promise<unknown> };

export interface RecordedRequest {
  operation: string;
  headers: HeaderRecord;
  input: unknown;
}

export class FakeHub {
  readonly state = new FakeState();
  readonly links = new FakeLinks(this.state);
  readonly requests: RecordedRequest[] = [];
  readonly #faults: { operation: OperationName; fault: Fault }[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<FakeHub> {
    const hub = new FakeHub();
    hub.state.posted = (room, { recipients }) => {
      for (const member of recipients) hub.links.notify(room, member);
    };
    hub.state.removed = (member) => hub.links.end(member, 'not_in_room');
    hub.#server.on('upgrade', (request, socket, head) => hub.links.upgrade(request, socket, head));
    await new Promise<void>((resolve) => hub.#server.listen(0, '127.0.0.1', resolve));
    return hub;
  }

  get port(): number {
    const address: AddressInfo | string | null = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** A new account that is signed in; gives its token. */
  signUp(handle: string | null): string {
    return this.state.logins.signUp(handle);
  }

  /** A room of an account of its own, with a code in the form people write. */
  addRoom(given: Partial<FakeRoom> = {}): FakeRoom & { shownCode: string } {
    const owner = this.state.account({ token: this.signUp('owner') });
    const room = makeRoom(owner, given);
    this.state.rooms.push(room);
    return Object.assign(room, { shownCode: formatRoomCode(room.code) });
  }

  /** A member without a process behind it, of an account of its own. */
  addMember(room: FakeRoom, address: string, given: Partial<FakeMember> = {}): FakeMember {
    const [handle = '', name = ''] = address.split('/');
    const member: FakeMember = {
      account: this.state.account({ token: this.signUp(handle) }),
      name,
      host: 'codex',
      conversation: `of ${address}`,
      workspace: { repo: '', branch: '' },
      intro: '',
      joinedAt: Date.now(),
      readSeq: room.log.length,
      ...given,
    };
    room.members.push(member);
    return member;
  }

  /** That member says something; links are told. */
  say(room: FakeRoom, sender: FakeMember, said: Partial<Said> & { body: string }): void {
    this.state.posted(room, say(room, sender, { to: '@room', ...said }));
  }

  /** The next request for this operation that has no fault yet gets this one. */
  fail(operation: OperationName, ...faults: Fault[]): void {
    this.#faults.push(...faults.map((fault) => ({ operation, fault })));
  }

  /** Inputs of the requests for an operation so far. */
  inputsOf(operation: OperationName): unknown[] {
    return this.requests.filter((asked) => asked.operation === operation).map((r) => r.input);
  }

  /** The member of a conversation in a room. */
  memberOf(room: FakeRoom, conversation: string): FakeMember {
    const found = room.members.find((member) => member.conversation === conversation);
    if (found !== undefined) return found;
    throw new Error(`${conversation} is not in ${room.members.map(addressOf).join(', ')}`);
  }

  /** How many connections are open, kept ones included. */
  connectionCount(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
    });
  }

  async stop(): Promise<void> {
    this.links.cut();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = (request.url ?? '').replace(/^\/v1\//, '');
    const headers = headersOf(request);
    const body = await text(request).catch(() => '');
    const fault = this.#takeFault(operation);
    this.requests.push({ operation, headers, input: JSON.parse(body) });
    if (fault?.kind === 'hold') await fault.until;
    if (fault?.kind === 'lose_request') return void response.destroy();
    const answer = fault?.kind === 'answer' ? fault : this.#answer(operation, headers, body);
    if (fault?.kind === 'hold_answer') await fault.until;
    if (fault?.kind === 'lose_answer') return void response.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }

  #takeFault(operation: string): Fault | undefined {
    const index = this.#faults.findIndex((planned) => planned.operation === operation);
    return index === -1 ? undefined : this.#faults.splice(index, 1)[0]?.fault;
  }

  #answer(operation: string, headers: HeaderRecord, body: string) {
    try {
      const { headers: decoded, input } = decodeRequest(operation, headers, body);
      const { bearer: token, room, caller } = decoded;
      const result = this.#perform(operation, { token, room, caller }, input);
      return { status: 200, body: JSON.stringify(success(result)) };
    } catch (error) {
      const refusal =
        error instanceof HubError ? error : new HubError('unavailable', String(error));
      return { status: httpStatusOf[refusal.code], body: JSON.stringify(failure(refusal)) };
    }
  }

  #perform(operation: string, call: FakeCall, input: unknown) {
    if (!isOperationName(operation)) throw new HubError('invalid_input', 'unknown operation');
    return perform(operation, this.state, call, parseInput(operation, input));
  }
}
