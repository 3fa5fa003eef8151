import type { SendOutcome } from '../../../adapters/messaging/messenger.ts';
import { groupedBy } from '../../../core/grouped.ts';
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

  /** Applies statuses in their order, in the caller's transaction. Statuses of unknown messages change nothing. */
  async follow(db: Database, statuses: readonly LateStatus[]): Promise<void> {
    const { providers, messages } = this.#deps;
    const told = new ToldMessages(
      await messages.listTold(db, {
        providerIds: statuses.map(({ providerId }) => providerId),
        messageIds: statuses.flatMap(({ messageId }) => (isUuid(messageId ?? '') ? messageId! : [])),
      }),
    );
    const known = statuses.flatMap((status) => {
      const message = told.find(status);
      return message ? [{ ...status, message }] : [];
    });
    const failures = known.filter(({ outcome }) => outcome !== null);
    const news = await providers.note(
      db,
      failures.map(({ providerId }) => failureId(providerId)),
    );
    const advances = new Map<string, Advance>();
    const failed = new Set<string>();
    for (const { message, providerId, status, outcome } of known) {
      if (outcome === null) {
        const advance = advanceOf(message, providerId, status);
        if (!advance) continue;
        const { wasOpen, unknownId } = advances.get(message.id) ?? advance;
        advances.set(message.id, { ...advance, wasOpen, unknownId });
        Object.assign(message, { state: advance.state, providerId });
      } else if (news.has(failureId(providerId)) && !failed.has(providerId)) {
        failed.add(providerId);
        await this.#advance(db, [...advances.values()]);
        advances.clear();
        await this.#fail(db, Object.assign(message, { providerId }), outcome);
      }
    }
    await this.#advance(db, [...advances.values()]);
  }

  /** Writes what messages have come to: one statement for all of the same kind. */
  async #advance(db: Database, advances: readonly Advance[]): Promise<void> {
    const { messages, alerts, policies, destinations } = this.#deps;
    const groups = groupedBy(advances, ({ state, message }) => `${state} ${message.orgId}`);
    for (const [, group] of groups) {
      const { state, message: first } = group[0]!;
      const scope = { orgId: first.orgId, db };
      const ids = group.map(({ message }) => message.id);
      const isRead = state !== 'accepted';
      await messages.advance(scope, ids, { state, ...(isRead && { content: null }) });
      await alerts.settle(scope, ids, { state: 'sent', reason: null });
      if (isRead)
        for (const [, [place]] of groupedBy(group, ({ message }) => message.destination))
          await destinations.update(scope, place!.message, { undeliverable: 0 });
    }
    for (const { message, wasOpen, unknownId } of advances) {
      const scope = { orgId: message.orgId, db };
      if (unknownId) await messages.update(scope, message.id, { providerId: message.providerId });
      if (wasOpen)
        await policies.update(scope, message.policyId, {
          lastError: null,
          ...(message.kind === 'alerts' && { alertedAt: () => 'now()' }),
        });
    }
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
      message.state = 'pending';
      await messages.update(scope, message.id, { state: 'pending', reason, providerId, finishedAt: null });
      await policies.update(scope, message.policyId, { lastError: reason });
      const policy = await policies.find(scope, message.policyId);
      if (policy) await queue.wake(scope, policy);
      return;
    }
    message.state = 'failed';
    await messages.update(scope, message.id, { state: 'failed', reason, content: null });
    await alerts.settle(scope, [message.id], { state: 'failed', reason });
    await policies.update(scope, message.policyId, { lastError: reason });
    if (outcome.kind === 'blocked') await health.block(scope, message, reason);
    if (outcome.kind === 'undeliverable') await health.miss(scope, message, reason);
  }
}

/** A message that has come further than it had. */
interface Advance {
  message: AlertMessage;
  state: MessageState;
  /** Whether it had not been handed over, as far as we knew. */
  wasOpen: boolean;
  /** Whether the provider's id was not stored with it. */
  unknownId: boolean;
}

/** Null for a status that changes nothing. */
function advanceOf(message: AlertMessage, providerId: string, status: string): Advance | null {
  const state = statesOf[status];
  if (state === undefined || order.indexOf(state) <= order.indexOf(message.state)) return null;
  if (message.state === 'failed' || message.state === 'kept') return null;
  const wasOpen = message.state === 'pending' || message.state === 'sending';
  return { message, state, wasOpen, unknownId: message.providerId !== providerId };
}

/** Messages by the provider's ids and by ours. */
class ToldMessages {
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
