import type { SendOutcome } from '../../../adapters/messaging/messenger.ts';
import { groupItems } from '../../../core/group-items.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertMessage, MessageState } from '../../../entities/alerts/alert-message.entity.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../../repositories/alerts/alert.repository.ts';
import type { AlertProviderRepository } from '../../../repositories/alerts/alert-provider.repository.ts';
import type { AlertQueue } from '../alert-queue.ts';
import type { DestinationHealth } from '../channels/destination-health.ts';

/**
 * States of an alert message in the order of its progress. A status that arrives late never returns the
 * message to an earlier state.
 */
const stateOrder: readonly MessageState[] = ['pending', 'sending', 'accepted', 'delivered', 'read'];
const providerStates: Readonly<Record<string, MessageState>> = {
  sent: 'accepted',
  delivered: 'delivered',
  read: 'read',
};

/**
 * Kinds of failure that neither the message nor its destination causes. After such a failure, the alert
 * message is sent again.
 */
const retriedFailures: ReadonlySet<SendOutcome['kind']> = new Set([
  'window_closed',
  'later',
  'misconfigured',
]);

export interface LateStatus {
  providerId: string;
  /**
   * Id of the alert message in Parley, which the provider returns with the status. It identifies a message
   * whose worker died before it stored the provider's id.
   */
  messageId: string | null;
  status: string;
  /** Failure that the provider's status reports; null if the status reports no failure. */
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

/**
 * Applies delivery statuses, such as `delivered`, that a provider reports after it has accepted an alert
 * message.
 */
export class LateStatuses {
  readonly #deps: LateStatusesDeps;

  constructor(deps: LateStatusesDeps) {
    this.#deps = deps;
  }

  /**
   * Applies the delivery statuses of messages in order, in the caller's transaction. Ignores statuses of
   * messages that Parley does not know.
   */
  async apply(db: Database, statuses: readonly LateStatus[]): Promise<void> {
    const { providers, messages } = this.#deps;
    const reported = new ReportedMessages(
      await messages.lockReported(db, {
        providerIds: statuses.map(({ providerId }) => providerId),
        messageIds: statuses.flatMap(({ messageId }) => (isUuid(messageId ?? '') ? messageId! : [])),
      }),
    );
    const matched = statuses.flatMap((status) => {
      const message = reported.find(status);
      return message ? [{ ...status, message }] : [];
    });
    const failures = matched.filter(({ outcome }) => outcome !== null);
    const newIds = await providers.recordInbound(
      db,
      failures.map(({ providerId }) => failureId(providerId)),
    );
    const advances = new Map<string, Advance>();
    const failed = new Set<string>();
    for (const { message, providerId, status, outcome } of matched) {
      if (outcome === null) {
        const advance = toAdvance(message, providerId, status);
        if (!advance) continue;
        const { wasUnfinished, lacksProviderId } = advances.get(message.id) ?? advance;
        advances.set(message.id, { ...advance, wasUnfinished, lacksProviderId });
        Object.assign(message, { state: advance.state, providerId });
      } else if (newIds.has(failureId(providerId)) && !failed.has(providerId)) {
        failed.add(providerId);
        await this.#advance(db, [...advances.values()]);
        advances.clear();
        await this.#markFailed(db, Object.assign(message, { providerId }), outcome);
      }
    }
    await this.#advance(db, [...advances.values()]);
  }

  /** Stores the new states of alert messages. Messages with the same new state share a database statement. */
  async #advance(db: Database, advances: readonly Advance[]): Promise<void> {
    const { messages, alerts, policies, destinations } = this.#deps;
    const groups = groupItems(advances, ({ state, message }) => `${state} ${message.orgId}`);
    for (const [, group] of groups) {
      const { state, message: firstMessage } = group[0]!;
      const scope = { orgId: firstMessage.orgId, db };
      const ids = group.map(({ message }) => message.id);
      const isRead = state !== 'accepted';
      await messages.advance(scope, ids, { state, ...(isRead && { content: null }) });
      await alerts.updateByMessages(scope, ids, { state: 'sent', reason: null });
      if (isRead)
        for (const [, [first]] of groupItems(group, ({ message }) => message.destination))
          await destinations.update(scope, first!.message, { undeliverable: 0 });
    }
    for (const { message, wasUnfinished, lacksProviderId } of advances) {
      const scope = { orgId: message.orgId, db };
      if (lacksProviderId) await messages.update(scope, message.id, { providerId: message.providerId });
      if (wasUnfinished)
        await policies.update(scope, message.policyId, {
          lastError: null,
          ...(message.kind === 'alerts' && { alertedAt: () => 'now()' }),
        });
    }
  }

  async #markFailed(db: Database, message: AlertMessage, outcome: SendOutcome): Promise<void> {
    if (message.state === 'failed' || message.state === 'read') return;
    const { messages, alerts, policies, destinations, health, queue, log } = this.#deps;
    const scope = { orgId: message.orgId, db };
    const reason = 'reason' in outcome ? outcome.reason : 'The message was not delivered.';
    if (retriedFailures.has(outcome.kind)) {
      const isClosed = outcome.kind === 'window_closed';
      if (isClosed) await destinations.update(scope, message, { lastInboundAt: null });
      if (outcome.kind === 'misconfigured')
        log.error({ messageId: message.id, reason }, 'messaging app is misconfigured');
      // If WhatsApp's 24-hour window for free text has closed, the message is sent again at once, with a
      // template. After other failures, it is sent after a pause.
      const providerId = isClosed ? null : message.providerId;
      message.state = 'pending';
      await messages.update(scope, message.id, { state: 'pending', reason, providerId, finishedAt: null });
      await policies.update(scope, message.policyId, { lastError: reason });
      const policy = await policies.find(scope, message.policyId);
      if (policy) await queue.wake(scope, policy);
      return;
    }
    message.state = 'failed';
    await messages.update(scope, message.id, { state: 'failed', reason, content: null });
    await alerts.updateByMessages(scope, [message.id], { state: 'failed', reason });
    await policies.update(scope, message.policyId, { lastError: reason });
    if (outcome.kind === 'blocked') await health.block(scope, message, reason);
    if (outcome.kind === 'undeliverable') await health.recordUndeliverable(scope, message, reason);
  }
}

/** The change of an alert message to a later state. */
interface Advance {
  message: AlertMessage;
  state: MessageState;
  /** True if the message was stored as `pending` or `sending`. */
  wasUnfinished: boolean;
  /** True if the stored message does not yet have the provider's id. */
  lacksProviderId: boolean;
}

/** Returns the change of a message that the provider's status causes; null if the status changes nothing. */
function toAdvance(message: AlertMessage, providerId: string, status: string): Advance | null {
  const state = providerStates[status];
  if (state === undefined || stateOrder.indexOf(state) <= stateOrder.indexOf(message.state)) return null;
  if (message.state === 'failed' || message.state === 'kept') return null;
  const wasUnfinished = message.state === 'pending' || message.state === 'sending';
  return { message, state, wasUnfinished, lacksProviderId: message.providerId !== providerId };
}

/** Finds the alert messages that statuses concern, by the provider's id or by Parley's id. */
class ReportedMessages {
  readonly #byProviderId: ReadonlyMap<string, AlertMessage>;
  readonly #byId: ReadonlyMap<string, AlertMessage>;

  constructor(messages: readonly AlertMessage[]) {
    this.#byProviderId = new Map(
      messages.flatMap((message) => (message.providerId === null ? [] : [[message.providerId, message]])),
    );
    this.#byId = new Map(messages.map((message) => [message.id, message]));
  }

  find({ providerId, messageId }: LateStatus): AlertMessage | undefined {
    return this.#byProviderId.get(providerId) ?? this.#byId.get(messageId?.toLowerCase() ?? '');
  }
}

function failureId(providerId: string): string {
  return `whatsapp:failed:${providerId}`;
}
