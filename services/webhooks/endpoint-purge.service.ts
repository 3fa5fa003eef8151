import type { EndpointPurgeRepository } from '../../repositories/webhooks/endpoint-purge.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';
import { deliverySignal } from './delivery-commands.ts';

export interface EndpointPurgeDeps {
  endpoints: EndpointPurgeRepository;
  outbox: OutboxService;
}

/**
 * Removes endpoints that are deleted, their logs first, in batches: each is a short transaction, so that nobody waits
 * for a long log. Every step may be repeated.
 */
export class EndpointPurge {
  readonly #deps: EndpointPurgeDeps;

  constructor(deps: EndpointPurgeDeps) {
    this.#deps = deps;
  }

  /** @throws the signal's reason */
  async remove(scope: OrgScope, webhookId: string, signal: AbortSignal): Promise<void> {
    while ((await inTransaction(scope, (each) => this.#removeBatch(each, webhookId))) > 0)
      signal.throwIfAborted();
    await this.#deps.endpoints.remove(scope, webhookId);
  }

  /** Removes the endpoints that are limited to a bot. @throws the signal's reason */
  async removeOfBot(scope: OrgScope, botId: string, signal: AbortSignal): Promise<void> {
    for (const id of await this.#deps.endpoints.deleteOfBot(scope, botId))
      await this.remove(scope, id, signal);
  }

  /** Tells the workflows that wait for the next attempt of what is removed. Returns how much that is. */
  async #removeBatch(scope: OrgScope, webhookId: string): Promise<number> {
    const { endpoints, outbox } = this.#deps;
    const removed = await endpoints.removeLogBatch(scope, webhookId);
    for (const delivery of removed.filter(({ status }) => status === 'retrying'))
      await outbox.command(scope, deliverySignal(delivery, 'giveUp'));
    return removed.length;
  }
}
