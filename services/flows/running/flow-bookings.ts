import { newId } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { FlowSessionRepository } from '../../../repositories/flows/flow-session.repository.ts';

export interface FlowBookingsDeps {
  answers: AnswerRepository;
  sessions: FlowSessionRepository;
}

/** Flows that wait for their visitor to book. */
export class FlowBookings {
  readonly #deps: FlowBookingsDeps;

  constructor(deps: FlowBookingsDeps) {
    this.#deps = deps;
  }

  /** @param conversation locked by the scope's transaction */
  async isAwaiting(tx: OrgScope, { id, isInFlow, status }: Conversation): Promise<boolean> {
    if (!isInFlow || status !== 'active') return false;
    return (await this.#deps.sessions.findOfConversation(tx, id))?.awaiting?.kind === 'booking';
  }

  /**
   * Begins the message that the flow goes on with: an API process makes it, as it makes those whose process has died. What the
   * visitor has written meanwhile is heard first, and may have led elsewhere.
   * @param tx has locked the conversation, whose flow awaits it
   */
  async goOn(tx: OrgScope, conversationId: string): Promise<void> {
    const { answers } = this.#deps;
    if (await answers.isOneOpen(tx, conversationId)) return;
    await answers.insertUnasked(tx, { id: newId(), conversationId });
  }
}
