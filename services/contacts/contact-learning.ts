import { inTransaction } from '../../database/org-scope.ts';
import { findDetails } from './details-in-text.ts';
import { learnContact, type LearnContactDeps } from './learn-contact.ts';
import type { VisitorScope } from './visitor-scope.ts';

/** Stores contact details that visitors mention in messages. */
export class ContactLearning {
  readonly #deps: LearnContactDeps;

  constructor(deps: LearnContactDeps) {
    this.#deps = deps;
  }

  /** Stores the email address and the phone number that a visitor's message contains. */
  async learnFromMessage(scope: VisitorScope, content: string): Promise<void> {
    const details = findDetails(content);
    if (Object.keys(details).length === 0) return;
    await inTransaction(scope, async (tx) => {
      const { conversations } = this.#deps;
      const locked = await conversations.lock(tx, scope.conversationId);
      const conversation = await conversations.open(tx, locked);
      await learnContact(this.#deps, tx, conversation, { details, customFields: {} });
    });
  }
}
