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
import type { AttemptResult } from './attempt-result.ts';
import { backoffMs } from '../../../core/concurrency/backoff.ts';

const MISCONFIGURED_MS = 5 * 60_000;
const PAUSES = { firstMs: 2000, maxMs: 5 * 60_000 };
const MAX_IMMEDIATE_RETRIES = 2;

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

/**
 * Stores the outcome of an attempt to send an alert message in the message, its policy and its destination.
 */
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
  ): Promise<AttemptResult> {
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
        return this.#recordUndeliverable(scope, message, outcome.reason);
      case 'refused':
        return this.fail(scope, message, outcome.reason);
      case 'window_closed':
        return this.#closeWindow(scope, message, outcome.reason);
      case 'moved':
        return this.#move(scope, message, outcome.destination);
      case 'misconfigured':
        return this.#waitForOperator(scope, message, outcome.reason);
      case 'later':
        return this.#retryLater(scope, message, outcome);
    }
  }

  /** Marks the alert message and its alerts as failed, so that the message is never sent. */
  fail(scope: OrgScope, message: AlertMessage, reason: string): Promise<AttemptResult> {
    return inTransaction(scope, async (tx) => {
      const { messages, alerts, policies } = this.#deps;
      await messages.finish(tx, message.id, { state: 'failed', reason, content: null });
      await alerts.updateByMessages(tx, [message.id], { state: 'failed', reason });
      await policies.update(tx, message.policyId, { lastError: reason });
      return { state: 'over', end: 'failed', reason, attempts: message.attempts };
    });
  }

  /**
   * Deletes an alert message that no longer has relevant content. If no attempt was made, also subtracts the
   * message from the daily count.
   */
  deleteIrrelevant(scope: OrgScope, message: AlertMessage): Promise<AttemptResult> {
    return inTransaction(scope, async (tx) => {
      const { messages, days } = this.#deps;
      await messages.delete(tx, message.id);
      if (message.countedOn !== null && message.attempts === 0)
        await days.releaseClaim(tx, message.policyId, message.countedOn);
      return { state: 'over', end: 'withdrawn', reason: null, attempts: message.attempts };
    });
  }

  #succeed(
    scope: OrgScope,
    message: AlertMessage,
    end: { state: 'accepted' | 'kept'; providerId?: string | null; content?: string },
  ): Promise<AttemptResult> {
    return inTransaction(scope, async (tx) => {
      const { messages, alerts, policies } = this.#deps;
      const deletesContent = end.state === 'accepted' && message.channel === 'telegram';
      const { id, policyId, kind, attempts } = message;
      const isRecorded = await messages.succeed(tx, message, {
        ...end,
        ...(deletesContent && { content: null }),
      });
      // If the provider's delivery status was stored first, the message has its final state already.
      if (!isRecorded) return toFinishedAttempt(await messages.find(tx, id), attempts);
      await alerts.updateByMessages(tx, [id], { state: 'sent', reason: null });
      const alertedAt = kind === 'alerts' && { alertedAt: () => 'now()' };
      await policies.update(tx, policyId, { lastError: null, ...alertedAt });
      return { state: 'over', end: end.state, reason: null, attempts };
    });
  }

  #block(scope: OrgScope, message: AlertMessage, reason: string): Promise<AttemptResult> {
    return inTransaction(scope, async (tx) => {
      await this.#deps.health.block(tx, message, reason);
      return this.fail(tx, message, reason);
    });
  }

  /**
   * Counts an undeliverable alert message for its destination. Several in a row block the destination; a
   * single failure may be chance.
   */
  #recordUndeliverable(scope: OrgScope, message: AlertMessage, reason: string): Promise<AttemptResult> {
    return inTransaction(scope, async (tx) => {
      await this.#deps.health.recordUndeliverable(tx, message, reason);
      return this.fail(tx, message, reason);
    });
  }

  /**
   * Stores that WhatsApp's 24-hour window for free text has closed. The message is sent again at once, with a
   * template.
   */
  async #closeWindow(scope: OrgScope, message: AlertMessage, reason: string): Promise<AttemptResult> {
    const { messages, destinations } = this.#deps;
    await destinations.update(scope, message, { lastInboundAt: null });
    await messages.markForRetry(scope, message.id, reason, false);
    return { state: 'again', waitMs: immediatePauseMs(message), reason, attempts: message.attempts };
  }

  async #move(scope: OrgScope, message: AlertMessage, destination: string): Promise<AttemptResult> {
    const { messages, health } = this.#deps;
    const reason = 'The group has become a supergroup with a new id.';
    await messages.markForRetry(scope, message.id, reason, false);
    await health.move(scope, message, destination);
    return { state: 'again', waitMs: immediatePauseMs(message), reason, attempts: message.attempts };
  }

  /**
   * Retries the message after a pause, because the installation's configuration is wrong, not the
   * destination. Logs the fault for the operator.
   */
  async #waitForOperator(scope: OrgScope, message: AlertMessage, reason: string): Promise<AttemptResult> {
    const { messages, policies, log } = this.#deps;
    const { id, policyId, channel, attempts } = message;
    log.error({ channel, messageId: id, policyId, reason }, 'messaging app is misconfigured');
    await messages.markForRetry(scope, id, reason, false);
    await policies.update(scope, policyId, { lastError: reason });
    return { state: 'misconfigured', waitMs: MISCONFIGURED_MS, reason, attempts };
  }

  async #retryLater(
    scope: OrgScope,
    message: AlertMessage,
    { reason, waitMs, mayBeDelivered }: Extract<SendOutcome, { kind: 'later' }>,
  ): Promise<AttemptResult> {
    const { messages, policies } = this.#deps;
    const { id, policyId, attempts } = message;
    await messages.markForRetry(scope, id, reason, mayBeDelivered);
    await policies.update(scope, policyId, { lastError: reason });
    return { state: 'again', waitMs: waitMs ?? computePauseMs(attempts), reason, attempts };
  }
}

/**
 * Returns the pause in milliseconds before a retry that is expected to succeed at once. If the retries fail
 * repeatedly, returns the same pause as for other retries.
 */
function immediatePauseMs({ attempts }: AlertMessage): number {
  return attempts <= MAX_IMMEDIATE_RETRIES ? 0 : computePauseMs(attempts);
}

function toFinishedAttempt(message: AlertMessage | null, attempts: number): AttemptResult {
  const { state = 'gone', reason = null } = message ?? {};
  return { state: 'over', end: state, reason, attempts };
}

/**
 * Returns the pause in milliseconds before the next attempt to send a message.
 * @param attempts number of attempts so far
 */
export function computePauseMs(attempts: number): number {
  return backoffMs(attempts - 1, PAUSES);
}
