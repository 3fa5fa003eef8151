import { newId } from '../../../core/ids.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { FlowSessionRepository } from '../../../repositories/flows/flow-session.repository.ts';

export interface FlowBookingsDeps {
  answers: AnswerRepository;
  sessions: FlowSessionRepository;
}

/** Continues flows that wait until their visitor has booked a meeting. */
export class FlowBookings {
  readonly #deps: FlowBookingsDeps;

  constructor(deps: FlowBookingsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns true if the conversation's flow waits for a booking.
   * @param conversation conversation that the caller's transaction has locked
   */
  async isAwaiting(tx: OrgScope, { id, isInFlow, status }: Conversation): Promise<boolean> {
    if (!isInFlow || status !== 'active') return false;
    return (await this.#deps.sessions.findByConversation(tx, id))?.awaiting?.kind === 'booking';
  }

  /**
   * Inserts an unfinished answer, with which the flow continues after a booking. An API process then claims
   * and generates it, like an answer whose process has died. Does nothing while the bot answers a message of
   * the visitor, since that answer may change the flow's position.
   * @param tx transaction that has locked the conversation
   */
  async continueFlow(tx: OrgScope, conversationId: string): Promise<void> {
    const { answers } = this.#deps;
    if (await answers.hasUnfinished(tx, conversationId)) return;
    await answers.insertAnswerWithoutTurn(tx, { id: newId(), conversationId });
  }
}
