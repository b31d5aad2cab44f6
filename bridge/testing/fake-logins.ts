// For tests: signing devices in, with the owner's part as methods.
import type { Account } from '../../protocol/nouns.ts';
import type { OperationResult } from '../../protocol/operations/index.ts';

export class FakeLogins {
  /** By token. */
  readonly accounts = new Map<string, Account>();
  readonly #statuses = new Map<string, OperationResult<'login_status'>>();
  #serial = 0;

  /** A new account that is signed in; gives its token. */
  signUp(handle: string | null): string {
    this.#serial += 1;
    const token = `device-token-${this.#serial}-of-${handle}`;
    this.accounts.set(token, { id: `account-${this.#serial}`, handle });
    return token;
  }

  start(): OperationResult<'login_start'> {
    this.#serial += 1;
    const deviceCode = `device-code-${this.#serial}`;
    this.#statuses.set(deviceCode, { state: 'pending' });
    return {
      url: 'https://hub.example/device',
      userCode: 'WDJB-MJHT',
      deviceCode,
      intervalSeconds: 5,
      expiresInSeconds: 600,
    };
  }

  /** Gives the token once. */
  status(deviceCode: string): OperationResult<'login_status'> {
    const status = this.#statuses.get(deviceCode) ?? { state: 'expired' };
    if (status.state === 'approved') this.#statuses.delete(deviceCode);
    return status;
  }

  /** The owner approves every sign-in that waits; gives the token. */
  approve(handle: string | null): string {
    const token = this.signUp(handle);
    const account = this.accounts.get(token) ?? { id: '', handle };
    this.#settle({ state: 'approved', token, account });
    return token;
  }

  deny(): void {
    this.#settle({ state: 'denied' });
  }

  #settle(status: OperationResult<'login_status'>): void {
    for (const deviceCode of this.#statuses.keys()) this.#statuses.set(deviceCode, status);
  }
}
