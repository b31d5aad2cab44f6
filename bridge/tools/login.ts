// Signing this device in and out. The owner approves in a browser; meanwhile the conversation goes
// on and this asks the Hub in the background.
import { HubError, isRetryable } from '../../protocol/errors.ts';
import type { OperationResult } from '../../protocol/operations/index.ts';
import type { LoginStep } from '../../protocol/render/login.ts';
import { type Clock, pause } from '../clock.ts';
import { type ConversationHub, isRefusal } from '../hub/conversation-hub.ts';
import type { Store } from '../store.ts';

export interface LoginPorts {
  hub: ConversationHub;
  store: Store;
  clock: Clock;
  /** How this device is called on the website, at most 100 characters. */
  label: string;
  signedIn: () => void;
  signedOut: () => Promise<void>;
}

interface Attempt {
  readonly started: OperationResult<'login_start'>;
  readonly expiresAtMs: number;
  readonly stop: AbortController;
  /** The question to the Hub that is on its way. */
  asking?: Promise<void> | undefined;
  outcome?: LoginStep | HubError;
}

export class DeviceLogin {
  readonly #ports: LoginPorts;
  #attempt: Attempt | undefined;

  constructor(ports: LoginPorts) {
    this.#ports = ports;
  }

  /** Starts a sign-in, or tells how the one that runs stands. */
  async start(): Promise<LoginStep> {
    const attempt = this.#attempt;
    if (attempt === undefined) return (await this.#alreadySignedIn()) ?? (await this.#begin());
    if (attempt.outcome === undefined) await this.#ask(attempt);
    const { outcome } = attempt;
    if (outcome === undefined) return this.#shown(attempt);
    await this.stop();
    if (outcome instanceof HubError) throw outcome;
    return outcome;
  }

  async logout(): Promise<LoginStep> {
    await this.stop();
    const { hub, store, signedOut } = this.#ports;
    const { token } = await store.session();
    if (token !== undefined) {
      await hub('logout', {}).catch((error: unknown) => {
        if (!isRefusal(error, 'not_logged_in')) throw error;
      });
      await store.signOut();
      await signedOut();
    }
    return { state: 'logged_out' };
  }

  /** Asks no more; resolves when the last question is settled. */
  async stop(): Promise<void> {
    const attempt = this.#attempt;
    this.#attempt = undefined;
    attempt?.stop.abort();
    await attempt?.asking;
  }

  async #alreadySignedIn(): Promise<LoginStep | undefined> {
    const { hub, store } = this.#ports;
    if ((await store.session()).token === undefined) return undefined;
    try {
      return { state: 'approved', account: (await hub('status', {})).account };
    } catch (error) {
      if (isRefusal(error, 'not_logged_in')) return undefined;
      throw error;
    }
  }

  async #begin(): Promise<LoginStep> {
    const { hub, clock, label } = this.#ports;
    const started = await hub('login_start', { label });
    const expiresAtMs = clock.nowMs() + started.expiresInSeconds * 1_000;
    const attempt: Attempt = { started, expiresAtMs, stop: new AbortController() };
    this.#attempt = attempt;
    void this.#watch(attempt);
    return this.#shown(attempt);
  }

  #shown({ started, expiresAtMs }: Attempt): LoginStep {
    const leftMs = Math.max(0, expiresAtMs - this.#ports.clock.nowMs());
    const { url, userCode } = started;
    return { state: 'started', url, userCode, expiresInSeconds: Math.ceil(leftMs / 1_000) };
  }

  async #watch(attempt: Attempt): Promise<void> {
    const { clock } = this.#ports;
    const { started, expiresAtMs, stop } = attempt;
    while (attempt.outcome === undefined && clock.nowMs() < expiresAtMs) {
      await pause(clock, started.intervalSeconds * 1_000, stop.signal);
      if (stop.signal.aborted) return;
      await this.#ask(attempt);
    }
    attempt.outcome ??= { state: 'expired' };
  }

  /** One question at a time: the token is given once. */
  #ask(attempt: Attempt): Promise<void> {
    attempt.asking ??= this.#askOnce(attempt).finally(() => {
      attempt.asking = undefined;
    });
    return attempt.asking;
  }

  async #askOnce(attempt: Attempt): Promise<void> {
    const { hub, label } = this.#ports;
    try {
      const status = await hub('login_status', { deviceCode: attempt.started.deviceCode, label });
      if (status.state === 'approved') attempt.outcome = await this.#approved(status);
      else if (status.state !== 'pending') attempt.outcome = status;
    } catch (error) {
      const code = error instanceof HubError ? error.code : 'invalid_input';
      if (!isRetryable[code] && code !== 'rate_limited') attempt.outcome = { state: 'expired' };
    }
  }

  async #approved({
    token,
    account,
  }: Extract<OperationResult<'login_status'>, { state: 'approved' }>): Promise<
    LoginStep | HubError
  > {
    const { store, signedIn } = this.#ports;
    try {
      const { hub } = await store.session();
      await store.signIn({ hub, token, account });
    } catch {
      return new HubError('unavailable', 'the sign-in was approved but could not be saved here');
    }
    signedIn();
    return { state: 'approved', account };
  }
}
