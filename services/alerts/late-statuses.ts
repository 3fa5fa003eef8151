import type { SendOutcome } from '../../adapters/messaging/messenger.ts';
import { isUuid } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import type { AlertMessage, MessageState } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertDestinationRepository } from '../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../repositories/alerts/alert.repository.ts';
import type { AlertProviderRepository } from '../../repositories/alerts/alert-provider.repository.ts';
import type { AlertQueue } from './alert-queue.ts';
import type { DestinationHealth } from './destination-health.ts';

/** How far a message has come; what arrives late takes nothing back. */
const order: readonly MessageState[] = ['pending', 'sending', 'accepted', 'delivered', 'read'];
const statesOf: Readonly<Record<string, MessageState>> = {
  sent: 'accepted',
  delivered: 'delivered',
  read: 'read',
};

/** What is not the message's fault, nor its destination's. */
const goesAgain: ReadonlySet<SendOutcome['kind']> = new Set(['window_closed', 'later', 'misconfigured']);

export interface LateStatus {
  providerId: string;
  /** Ours, which the provider echoes: it tells of messages whose sender has died. */
  messageId: string | null;
  status: string;
  /** Of one that has failed. */
  outcome: SendOutcome | null;
}

export interface LateStatusesDeps {
  policies: AlertPolicyRepository;
  destinations: AlertDestinationRepository;
  alerts: AlertRepository;
  messages: AlertMessageRepository;
  queue: AlertQueue;
  health: DestinationHealth;
  providers: AlertProviderRepository;
  log: Logger;
}

/** What a provider tells of messages after it has taken them. */
export class LateStatuses {
  readonly #deps: LateStatusesDeps;

  constructor(deps: LateStatusesDeps) {
    this.#deps = deps;
  }

  async follow(db: Database, { providerId, messageId, status, outcome }: LateStatus): Promise<void> {
    const { providers, messages: rows } = this.#deps;
    const known = messageId !== null && isUuid(messageId) ? messageId : null;
    const message = await rows.findTold(db, { providerId, messageId: known });
    if (!message) return;
    if (outcome) {
      const isNews = await providers.note(db, `whatsapp:failed:${providerId}`);
      if (isNews) await this.#fail(db, Object.assign(message, { providerId }), outcome);
      return;
    }
    const state = statesOf[status];
    if (state === undefined || order.indexOf(state) <= order.indexOf(message.state)) return;
    if (message.state === 'failed' || message.state === 'kept') return;
    const scope = { orgId: message.orgId, db };
    const { alerts, messages, destinations, policies } = this.#deps;
    const isRead = state !== 'accepted';
    await messages.update(scope, message.id, {
      state,
      providerId,
      reason: null,
      finishedAt: message.finishedAt ?? (() => 'now()'),
      ...(isRead && { content: null }),
    });
    await alerts.settle(scope, message.id, { state: 'sent', reason: null });
    if (message.state === 'pending' || message.state === 'sending')
      await policies.update(scope, message.policyId, {
        lastError: null,
        ...(message.kind === 'alerts' && { alertedAt: () => 'now()' }),
      });
    if (isRead) await destinations.update(scope, message, { undeliverable: 0 });
  }

  async #fail(db: Database, message: AlertMessage, outcome: SendOutcome): Promise<void> {
    if (message.state === 'failed' || message.state === 'read') return;
    const { messages, alerts, policies, destinations, health, queue, log } = this.#deps;
    const scope = { orgId: message.orgId, db };
    const reason = 'reason' in outcome ? outcome.reason : 'It was not delivered.';
    if (goesAgain.has(outcome.kind)) {
      const isClosed = outcome.kind === 'window_closed';
      if (isClosed) await destinations.update(scope, message, { lastInboundAt: null });
      if (outcome.kind === 'misconfigured')
        log.error({ messageId: message.id, reason }, 'a messaging app is not set up as it must be');
      // By a template it goes at once; the rest is given time.
      const providerId = isClosed ? null : message.providerId;
      await messages.update(scope, message.id, { state: 'pending', reason, providerId, finishedAt: null });
      await policies.update(scope, message.policyId, { lastError: reason });
      const policy = await policies.find(scope, message.policyId);
      if (policy) await queue.wake(scope, policy);
      return;
    }
    await messages.update(scope, message.id, { state: 'failed', reason, content: null });
    await alerts.settle(scope, message.id, { state: 'failed', reason });
    await policies.update(scope, message.policyId, { lastError: reason });
    if (outcome.kind === 'blocked') await health.block(scope, message, reason);
    if (outcome.kind === 'undeliverable') await health.miss(scope, message, reason);
  }
}
