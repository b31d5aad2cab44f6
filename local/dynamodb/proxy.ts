// What happens to a call between the client and the engine.
import type { LedgerWriter } from './ledger.ts';
import { askConsumption, hideConsumption, readConsumption } from './metering.ts';
import { errorName, type WireClient } from './wire.ts';
import type { Call, Outcome } from './wire-server.ts';

export interface ProxyParts {
  engine: WireClient;
  ledger: LedgerWriter;
}

export function createProxy({ engine, ledger }: ProxyParts): (call: Call) => Promise<Outcome> {
  return async ({ principal, operation, target, body }) => {
    const answer = await engine.call(target, askConsumption(operation, body));
    const error = errorName(answer);
    ledger.record({
      principal,
      operation,
      ...readConsumption(operation, answer),
      ...(error === undefined ? {} : { error }),
    });
    return hideConsumption(body, answer);
  };
}
