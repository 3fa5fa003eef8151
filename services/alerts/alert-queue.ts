import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { MessageContent } from '../../adapters/messaging/message-content.ts';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { AlertMessage, MessageKind } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { createWakeCommand } from './alert-commands.ts';

export interface QueuedMessage {
  kind: Exclude<MessageKind, 'alerts'>;
  content: MessageContent;
  /** Idempotency key of the message. A message whose key was queued before is not queued again. */
  key?: string;
  /** Time after which the message is no longer sent. */
  expiresAt?: Date;
  /**
   * Date, in the policy's time zone, on which the message counts toward the policy's daily cap. Missing if
   * the message does not count.
   */
  countedOn?: string;
}

export interface AlertQueueDeps {
  messages: AlertMessageRepository;
  policies: AlertPolicyRepository;
  outbox: OutboxService;
  keyring: Keyring;
}

/**
 * Queues the messages of alert policies that do not consist of alerts: digests, summaries, tests and codes.
 */
export class AlertQueue {
  readonly #deps: AlertQueueDeps;

  constructor(deps: AlertQueueDeps) {
    this.#deps = deps;
  }

  /**
   * Queues a message, which is sent after the caller's transaction commits. Returns the message's id; null if
   * its key was queued before.
   */
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

  /**
   * Makes the alert policy's workflow read its queue of messages.
   * @param isUrgent true to wake the workflow even while it waits to send other messages
   */
  async wake(
    scope: OrgScope,
    policy: Pick<AlertPolicy, 'id' | 'orgId' | 'channel'>,
    isUrgent = false,
  ): Promise<void> {
    const { policies, outbox } = this.#deps;
    const wasIdle = await policies.wake(scope, policy.id);
    if (wasIdle || isUrgent) await outbox.command(scope, createWakeCommand(policy));
  }

  seal(messageId: string, content: MessageContent): string {
    return this.#deps.keyring.seal(JSON.stringify(content), messageSealContext(messageId));
  }

  /** Decrypts the content of a message; null if it was encrypted with another master key. */
  open({ id, content }: Pick<Opened<AlertMessage>, 'id' | 'content'>): MessageContent | null {
    try {
      return content === null
        ? null
        : (JSON.parse(this.#deps.keyring.open(content, messageSealContext(id))) as MessageContent);
    } catch (error) {
      if (error instanceof UndecryptableValue) return null;
      throw error;
    }
  }
}

/** Returns whether a user of the console waits for this kind of message to be sent. */
export function isAwaited(kind: MessageKind): boolean {
  return kind === 'code' || kind === 'test';
}

function messageSealContext(messageId: string): string {
  return `alert_messages.content:${messageId}`;
}
