import { inTransaction } from '../../database/org-scope.ts';
import { findDetails } from './details-in-text.ts';
import { learnContact, type LearnContactDeps } from './learn-contact.ts';
import type { VisitorScope } from './visitor-scope.ts';

/** Learns contact details from what visitors write. */
export class ContactLearning {
  readonly #deps: LearnContactDeps;

  constructor(deps: LearnContactDeps) {
    this.#deps = deps;
  }

  /** Keeps the e-mail address and the phone number in a visitor's message. */
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
