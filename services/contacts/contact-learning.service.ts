import type { Conversation } from '../../entities/conversation.entity.ts';
import { inTransaction } from '../../repositories/org-scope.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';
import type { VisitorScope } from '../answering/turns.service.ts';
import { detailsIn } from './details-in-text.ts';
import { learnContact, type LearnContactDeps } from './learn-contact.ts';

export interface ContactLearningDeps extends LearnContactDeps {
  conversations: ScopedRepository<Conversation>;
}

/** What visitors tell of themselves while they talk. */
export class ContactLearning {
  readonly #deps: ContactLearningDeps;

  constructor(deps: ContactLearningDeps) {
    this.#deps = deps;
  }

  /** Keeps the e-mail address and the phone number in a visitor's message. */
  async fromMessage(scope: VisitorScope, content: string): Promise<void> {
    const details = detailsIn(content);
    if (Object.keys(details).length === 0) return;
    await inTransaction(scope, async (tx) => {
      const conversation = await this.#deps.conversations.getForUpdate(tx, scope.conversationId);
      await learnContact(this.#deps, tx, conversation, { details, customFields: {} });
    });
  }
}
