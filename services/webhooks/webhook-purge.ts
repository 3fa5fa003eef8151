import type { WebhookPurgeRepository } from '../../repositories/webhooks/webhook-purge.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { buildDeliverySignal } from './webhook-commands.ts';

export interface WebhookPurgeDeps {
  webhooks: WebhookPurgeRepository;
  outbox: OutboxService;
}

/**
 * Removes deleted webhook endpoints, their delivery logs first, in batches. Each batch is a short
 * transaction, so that a long log blocks no other request. Every step is idempotent.
 */
export class WebhookPurge {
  readonly #deps: WebhookPurgeDeps;

  constructor(deps: WebhookPurgeDeps) {
    this.#deps = deps;
  }

  /** @throws the abort reason of `signal` */
  async remove(scope: OrgScope, webhookId: string, signal: AbortSignal): Promise<void> {
    while ((await inTransaction(scope, (tx) => this.#removeBatch(tx, webhookId))) > 0)
      signal.throwIfAborted();
    await this.#deps.webhooks.delete(scope, webhookId);
  }

  /**
   * Removes all webhook endpoints that only receive events of the given bot.
   * @throws the signal's reason
   */
  async removeByBot(scope: OrgScope, botId: string, signal: AbortSignal): Promise<void> {
    for (const id of await this.#deps.webhooks.markDeletedByBot(scope, botId))
      await this.remove(scope, id, signal);
  }

  /**
   * Removes a batch of webhook deliveries, and ends the workflows that would retry them. Returns the number
   * of deliveries.
   */
  async #removeBatch(scope: OrgScope, webhookId: string): Promise<number> {
    const { webhooks, outbox } = this.#deps;
    const removed = await webhooks.deleteLogBatch(scope, webhookId);
    const waiting = removed.filter(({ status }) => status === 'retrying');
    await outbox.commands(
      scope.db,
      waiting.map((delivery) => ({
        orgId: scope.orgId,
        command: buildDeliverySignal(delivery, 'giveUp'),
        traceparent: outbox.traceparent,
      })),
    );
    return removed.length;
  }
}
