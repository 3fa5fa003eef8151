import { newId } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { FlowSessionRepository } from '../../../repositories/flows/flow-session.repository.ts';

export interface FlowBookingsDeps {
  answers: AnswerRepository;
  sessions: FlowSessionRepository;
}

/** Continues flows that wait for their visitor to book. */
export class FlowBookings {
  readonly #deps: FlowBookingsDeps;

  constructor(deps: FlowBookingsDeps) {
    this.#deps = deps;
  }

  /** @param conversation locked by the scope's transaction */
  async isAwaiting(tx: OrgScope, { id, isInFlow, status }: Conversation): Promise<boolean> {
    if (!isInFlow || status !== 'active') return false;
    return (await this.#deps.sessions.findByConversation(tx, id))?.awaiting?.kind === 'booking';
  }

  /**
   * Inserts the message with which the flow continues; an API process claims and generates it like an abandoned answer.
   * Does nothing while a message of the visitor is being answered, which may lead the flow elsewhere.
   * @param tx transaction that has locked the conversation, whose flow awaits the booking
   */
  async continueFlow(tx: OrgScope, conversationId: string): Promise<void> {
    const { answers } = this.#deps;
    if (await answers.hasUnfinished(tx, conversationId)) return;
    await answers.insertUnprompted(tx, { id: newId(), conversationId });
  }
}
