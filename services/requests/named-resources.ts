import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';
import { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { ConversationRepository } from '../../repositories/conversations/conversation.repository.ts';
import { DeliveryLogRepository } from '../../repositories/webhooks/delivery-log.repository.ts';
import { TestRunRepository } from '../../repositories/test-sets/test-run.repository.ts';
import type { ResourceKind } from './resource-kind.ts';

/** Checks that the workspace has the resource whose id a query parameter of the URL contains. */
export class NamedResources {
  readonly #repositories = {
    bot: new BotRepository(),
    contact: new ScopedRepository(Contact, 'contact'),
    conversation: new ConversationRepository(),
    delivery: new DeliveryLogRepository(),
    flow: new ScopedRepository(Flow, 'flow'),
    test_run: new TestRunRepository(),
    webhook: new ScopedRepository(Webhook, 'webhook'),
  };

  /** @throws AppError `forbidden` if another workspace has the resource, `not_found` if none has it */
  async require(scope: OrgScope, kind: ResourceKind, id: string): Promise<void> {
    await this.#repositories[kind].get(scope, id);
  }
}
