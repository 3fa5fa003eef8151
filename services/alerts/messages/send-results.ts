import type { MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { SendOutcome } from '../../../adapters/messaging/messenger.ts';
import type { Logger } from '../../../core/logger.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { AlertMessage } from '../../../entities/alerts/alert-message.entity.ts';
import type { AlertDayRepository } from '../../../repositories/alerts/alert-day.repository.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../../repositories/alerts/alert.repository.ts';
import type { AlertQueue } from '../alert-queue.ts';
import type { DestinationHealth } from '../channels/destination-health.ts';
import type { Attempted } from './attempted.ts';
import { backoffMs } from '../../../core/concurrency/backoff.ts';

const MISCONFIGURED_MS = 5 * 60_000;
const PAUSES = { firstMs: 2000, maxMs: 5 * 60_000 };
const MOST_AT_ONCE = 2;

export interface SendResultsDeps {
  policies: AlertPolicyRepository;
  destinations: AlertDestinationRepository;
  alerts: AlertRepository;
  messages: AlertMessageRepository;
  days: AlertDayRepository;
  queue: AlertQueue;
  health: DestinationHealth;
  log: Logger;
}

/** What follows from what a provider said of a message. */
export class SendResults {
  readonly #deps: SendResultsDeps;

  constructor(deps: SendResultsDeps) {
    this.#deps = deps;
  }

  record(
    scope: OrgScope,
    message: AlertMessage,
    content: MessageContent,
    outcome: SendOutcome,
  ): Promise<Attempted> {
    switch (outcome.kind) {
      case 'accepted':
        return this.#succeed(scope, message, { state: 'accepted', providerId: outcome.providerId });
      case 'kept': {
        const sealed = this.#deps.queue.seal(message.id, content);
        return this.#succeed(scope, message, { state: 'kept', content: sealed });
      }
      case 'blocked':
        return this.#block(scope, message, outcome.reason);
      case 'undeliverable':
        return this.#miss(scope, message, outcome.reason);
      case 'refused':
        return this.fail(scope, message, outcome.reason);
      case 'window_closed':
        return this.#closeWindow(scope, message, outcome.reason);
      case 'moved':
        return this.#move(scope, message, outcome.destination);
      case 'misconfigured':
        return this.#wait(scope, message, outcome.reason);
      case 'later':
        return this.#putOff(scope, message, outcome);
    }
  }

  /** It will never be sent. */
  fail(scope: OrgScope, message: AlertMessage, reason: string): Promise<Attempted> {
    return inTransaction(scope, async (tx) => {
      const { messages, alerts, policies } = this.#deps;
      await messages.finish(tx, message.id, { state: 'failed', reason, content: null });
      await alerts.settle(tx, [message.id], { state: 'failed', reason });
      await policies.update(tx, message.policyId, { lastError: reason });
      return { state: 'over', end: 'failed', reason, attempts: message.attempts };
    });
  }

  /** There is nothing to tell any more, so that it has not counted. */
  withdraw(scope: OrgScope, message: AlertMessage): Promise<Attempted> {
    return inTransaction(scope, async (tx) => {
      const { messages, days } = this.#deps;
      await messages.delete(tx, message.id);
      if (message.countedOn !== null && message.attempts === 0)
        await days.giveBack(tx, message.policyId, message.countedOn);
      return { state: 'over', end: 'withdrawn', reason: null, attempts: message.attempts };
    });
  }

  #succeed(
    scope: OrgScope,
    message: AlertMessage,
    end: { state: 'accepted' | 'kept'; providerId?: string | null; content?: string },
  ): Promise<Attempted> {
    return inTransaction(scope, async (tx) => {
      const { messages, alerts, policies } = this.#deps;
      const isForgotten = end.state === 'accepted' && message.channel === 'telegram';
      const { id, policyId, kind, attempts } = message;
      const isOurs = await messages.succeed(tx, message, { ...end, ...(isForgotten && { content: null }) });
      // The provider was faster to tell what became of it.
      if (!isOurs) return over(await messages.find(tx, id), attempts);
      await alerts.settle(tx, [id], { state: 'sent', reason: null });
      const alertedAt = kind === 'alerts' && { alertedAt: () => 'now()' };
      await policies.update(tx, policyId, { lastError: null, ...alertedAt });
      return { state: 'over', end: end.state, reason: null, attempts };
    });
  }

  #block(scope: OrgScope, message: AlertMessage, reason: string): Promise<Attempted> {
    return inTransaction(scope, async (tx) => {
      await this.#deps.health.block(tx, message, reason);
      return this.fail(tx, message, reason);
    });
  }

  /** Once may be chance; after several in a row nobody has the number. */
  #miss(scope: OrgScope, message: AlertMessage, reason: string): Promise<Attempted> {
    return inTransaction(scope, async (tx) => {
      await this.#deps.health.miss(tx, message, reason);
      return this.fail(tx, message, reason);
    });
  }

  /** It goes by a template at once. */
  async #closeWindow(scope: OrgScope, message: AlertMessage, reason: string): Promise<Attempted> {
    const { messages, destinations } = this.#deps;
    await destinations.update(scope, message, { lastInboundAt: null });
    await messages.putOff(scope, message.id, reason, false);
    return { state: 'again', waitMs: soon(message), reason, attempts: message.attempts };
  }

  async #move(scope: OrgScope, message: AlertMessage, destination: string): Promise<Attempted> {
    const { messages, health } = this.#deps;
    const reason = 'The group has become a supergroup, with another id.';
    await messages.putOff(scope, message.id, reason, false);
    await health.move(scope, message, destination);
    return { state: 'again', waitMs: soon(message), reason, attempts: message.attempts };
  }

  /** No destination is to blame: the operator is told. */
  async #wait(scope: OrgScope, message: AlertMessage, reason: string): Promise<Attempted> {
    const { messages, policies, log } = this.#deps;
    const { id, policyId, channel, attempts } = message;
    log.error({ channel, messageId: id, policyId, reason }, 'a messaging app is not set up as it must be');
    await messages.putOff(scope, id, reason, false);
    await policies.update(scope, policyId, { lastError: reason });
    return { state: 'misconfigured', waitMs: MISCONFIGURED_MS, reason, attempts };
  }

  async #putOff(
    scope: OrgScope,
    message: AlertMessage,
    { reason, waitMs, isUnsure }: Extract<SendOutcome, { kind: 'later' }>,
  ): Promise<Attempted> {
    const { messages, policies } = this.#deps;
    const { id, policyId, attempts } = message;
    await messages.putOff(scope, id, reason, isUnsure);
    await policies.update(scope, policyId, { lastError: reason });
    return { state: 'again', waitMs: waitMs ?? pauseAfter(attempts), reason, attempts };
  }
}

/** At once, but to a provider that says so over and over. */
function soon({ attempts }: AlertMessage): number {
  return attempts <= MOST_AT_ONCE ? 0 : pauseAfter(attempts);
}

function over(message: AlertMessage | null, attempts: number): Attempted {
  const { state = 'gone', reason = null } = message ?? {};
  return { state: 'over', end: state, reason, attempts };
}

/** @param attempts that there were */
export function pauseAfter(attempts: number): number {
  return backoffMs(attempts - 1, PAUSES);
}
