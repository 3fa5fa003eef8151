import { newId } from '../../../core/ids.ts';
import type { Database } from '../../../database/database.ts';
import { inTransaction } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import { isServed } from '../../../entities/bots/bot.entity.ts';
import type { Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { BotRepository } from '../../../repositories/bots/bot.repository.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { FlowSessionRepository } from '../../../repositories/flows/flow-session.repository.ts';
import type { FlowWaitInput } from '../../../core/workflows/commands.ts';

export interface FlowWaitsDeps {
  bots: BotRepository;
  conversations: ScopedRepository<Conversation>;
  answers: AnswerRepository;
  sessions: FlowSessionRepository;
}

/** Continues flows whose visitor has not answered in time. */
export class FlowWaits {
  readonly #deps: FlowWaitsDeps;

  constructor(deps: FlowWaitsDeps) {
    this.#deps = deps;
  }

  /**
   * Inserts an unfinished answer, with which the flow continues after its timeout. An API process then claims
   * and generates it, like an answer whose process has died. The conversation's lock decides whether the
   * visitor's message or the timeout comes first.
   * @returns false if the flow is no longer waiting
   */
  expire(db: Database, { orgId, botId, conversationId, waitId }: FlowWaitInput): Promise<boolean> {
    const { bots, conversations, answers, sessions } = this.#deps;
    return inTransaction({ orgId, db }, async (tx) => {
      const conversation = await conversations.findLocked(tx, conversationId);
      if (!conversation?.isInFlow || conversation.status !== 'active') return false;
      if (!(await sessions.findWaiting(tx, conversationId, waitId))) return false;
      const bot = await bots.find(tx, botId);
      if (!bot || !isServed(bot) || (await answers.hasUnfinished(tx, conversationId))) return false;
      await answers.insertAnswerWithoutTurn(tx, { id: newId(), conversationId });
      await sessions.endWait(tx, conversationId);
      return true;
    });
  }
}
