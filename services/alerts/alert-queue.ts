import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { MessageContent } from '../../adapters/messaging/message-content.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { AlertMessage, MessageKind } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { wakeCommand } from './alert-commands.ts';

export interface QueuedMessage {
  kind: Exclude<MessageKind, 'alerts'>;
  content: MessageContent;
  /** Queued twice with the same key, it is one message. */
  key?: string;
  /** There is no use in it after that. */
  expiresAt?: Date;
  /** The local day in whose messages it was counted. */
  countedOn?: string;
}

export interface AlertQueueDeps {
  messages: AlertMessageRepository;
  policies: AlertPolicyRepository;
  outbox: OutboxService;
  keyring: Keyring;
}

/** Messages of a policy that are not made of alerts, in the order in which they were queued: digests, summaries, tests and codes. */
export class AlertQueue {
  readonly #deps: AlertQueueDeps;

  constructor(deps: AlertQueueDeps) {
    this.#deps = deps;
  }

  /** Returns the message's id; null where its key has one already. It goes out after the caller's transaction has committed. */
  enqueue(
    scope: OrgScope,
    policy: AlertPolicy,
    { kind, content, key, expiresAt, countedOn }: QueuedMessage,
  ): Promise<string | null> {
    const { messages } = this.#deps;
    const id = newId();
    return inTransaction(scope, async (tx) => {
      const isNew = await messages.insertOnce(tx, {
        id,
        policyId: policy.id,
        channel: policy.channel,
        destination: policy.destination,
        kind,
        content: this.seal(id, content),
        key: key ?? null,
        expiresAt: expiresAt ?? null,
        countedOn: countedOn ?? null,
      });
      if (!isNew) return null;
      await this.wake(tx, policy, isAwaited(kind));
      return id;
    });
  }

  /** Has the policy's workflow look at what waits. @param isUrgent also where it waits with something else */
  async wake(
    scope: OrgScope,
    policy: Pick<AlertPolicy, 'id' | 'orgId' | 'channel'>,
    isUrgent = false,
  ): Promise<void> {
    const { policies, outbox } = this.#deps;
    const wasAsleep = await policies.wake(scope, policy.id);
    if (wasAsleep || isUrgent) await outbox.command(scope, wakeCommand(policy));
  }

  seal(messageId: string, content: MessageContent): string {
    return this.#deps.keyring.seal(JSON.stringify(content), placeOf(messageId));
  }

  /** Null where it was sealed with another master key. */
  open({ id, content }: Pick<Opened<AlertMessage>, 'id' | 'content'>): MessageContent | null {
    try {
      return content === null
        ? null
        : (JSON.parse(this.#deps.keyring.open(content, placeOf(id))) as MessageContent);
    } catch {
      return null;
    }
  }
}

/** Somebody sits before the console until it arrives. */
export function isAwaited(kind: MessageKind): boolean {
  return kind === 'code' || kind === 'test';
}

function placeOf(messageId: string): string {
  return `alert_messages.content:${messageId}`;
}
