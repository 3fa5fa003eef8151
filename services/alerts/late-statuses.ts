import type { SendOutcome } from '../../adapters/messaging/messenger.ts';
import { isUuid } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import type { AlertMessage, MessageState } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertDestinationRepository } from '../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../repositories/alerts/alert.repository.ts';
import type { AlertQueue } from './alert-queue.ts';
import type { DestinationHealth } from './destination-health.ts';

/** How far a message has come; what arrives late takes nothing back. */
const order: readonly MessageState[] = ['pending', 'sending', 'accepted', 'delivered', 'read'];
const statesOf: Readonly<Record<string, MessageState>> = {
  sent: 'accepted',
  delivered: 'delivered',
  read: 'read',
};

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
}

/** What a provider tells of messages after it has taken them. */
export class LateStatuses {
  readonly #deps: LateStatusesDeps;

  constructor(deps: LateStatusesDeps) {
    this.#deps = deps;
  }

  async follow(db: Database, { providerId, messageId, status, outcome }: LateStatus): Promise<void> {
    const known = messageId !== null && isUuid(messageId) ? messageId : null;
    const message = await this.#deps.messages.findTold(db, { providerId, messageId: known });
    if (!message) return;
    if (outcome) return this.#fail(db, message, outcome);
    const state = statesOf[status];
    if (state === undefined || order.indexOf(state) <= order.indexOf(message.state)) return;
    if (message.state === 'failed' || message.state === 'kept') return;
    const scope = { orgId: message.orgId, db };
    const { alerts, messages, destinations } = this.#deps;
    const isRead = state !== 'accepted';
    await messages.update(scope, message.id, {
      state,
      providerId,
      reason: null,
      finishedAt: message.finishedAt ?? (() => 'now()'),
      ...(isRead && { content: null }),
    });
    await alerts.settle(scope, message.id, { state: 'sent', reason: null });
    if (isRead) await destinations.update(scope, message, { undeliverable: 0 });
  }

  async #fail(db: Database, message: AlertMessage, outcome: SendOutcome): Promise<void> {
    if (message.state === 'failed' || message.state === 'read') return;
    const { messages, alerts, policies, destinations, health, queue } = this.#deps;
    const scope = { orgId: message.orgId, db };
    const reason = 'reason' in outcome ? outcome.reason : 'It was not delivered.';
    if (outcome.kind === 'window_closed' || outcome.kind === 'later') {
      // It goes once more: by a template, or later.
      if (outcome.kind === 'window_closed')
        await destinations.update(scope, message, { lastInboundAt: null });
      await messages.update(scope, message.id, { state: 'pending', reason, finishedAt: null });
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
