// What happens to a call between the client and the engine, in this order: permission, faults,
// conflicts and latency, and what it cost.
import type { Arns, ArnTranslation } from './arns.ts';
import { type Authorize, refuseUnauthorized } from './authorization.ts';
import type { Execute } from './execution.ts';
import { askOldItems, failureCost, hideOldItems } from './failed-condition.ts';
import type { FaultSource } from './faults.ts';
import type { HotPartitions } from './hot-partitions.ts';
import type { LedgerWriter } from './ledger.ts';
import { type Member, readMembers, type Tables } from './members.ts';
import { askConsumption, consumes, hideConsumption, readConsumption } from './metering.ts';
import { type Answer, errorName, type WireClient } from './wire.ts';
import type { Call, Outcome } from './wire-server.ts';

export interface ProxyParts {
  engine: WireClient;
  tables: Tables;
  arns: Arns;
  translation: ArnTranslation;
  authorize: Authorize | undefined;
  faults: FaultSource;
  execute: Execute;
  ledger: LedgerWriter;
  hotPartitions: HotPartitions;
}

export function createProxy(parts: ProxyParts): (call: Call) => Promise<Outcome> {
  const { engine, tables, arns, translation, authorize, faults, execute } = parts;

  return async (call) => {
    const members = readMembers(call.operation, call.body, tables);
    const denial = authorize && refuseUnauthorized(call.principal, members, arns, authorize);
    if (denial !== undefined) return settle(call, members, denial);
    if (!consumes(call.operation)) return administer(call);
    const { refusal, lostAnswer, tear } = faults.draw(call, members);
    if (refusal !== undefined) return refuse(call, refusal);
    const body = askOldItems(call.operation, askConsumption(call.operation, call.body));
    const answer = settle(call, members, await execute({ ...call, body }, members, tear));
    return lostAnswer ?? answer;
  };

  /** Calls about tables and streams, which cost nothing and speak of ARNs. */
  async function administer({ target, body }: Call): Promise<Answer> {
    const answer = await engine.call(target, translation.inward(body));
    return { ...answer, body: translation.outward(answer.body) };
  }

  function refuse(call: Call, refusal: Outcome): Outcome {
    if (refusal === 'cut') record(call, { error: 'connection refused' });
    else settle(call, [], refusal);
    return refusal;
  }

  /** Books what the call cost and gives the answer that the client expects. */
  function settle(call: Call, members: readonly Member[], answer: Answer): Answer {
    const { operation, body } = call;
    const error = errorName(answer);
    const sources = members.map(({ source }) => source);
    if (error === undefined) {
      const consumption = readConsumption(operation, answer);
      parts.hotPartitions.record(members, consumption);
      record(call, consumption);
    } else {
      record(call, { writes: failureCost(sources, answer), error });
    }
    return hideOldItems(sources, hideConsumption(body, answer));
  }

  function record(call: Call, cost: { reads?: number; writes?: number; error?: string }): void {
    const { principal, operation } = call;
    parts.ledger.record({ principal, operation, reads: 0, writes: 0, ...cost });
  }
}
