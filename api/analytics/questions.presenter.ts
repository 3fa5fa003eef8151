import { abridge } from '../../core/text/cut-text.ts';
import type { QuestionWithContent } from '../../repositories/analytics/question.repository.ts';
import { MAX_QUESTION_CHARS, type QuestionCluster } from './questions.schemas.ts';

export function presentQuestion(question: QuestionWithContent): QuestionCluster {
  return {
    id: question.id,
    bot_id: question.botId,
    question: abridge(question.content, MAX_QUESTION_CHARS),
    asked: question.asked,
    unanswered: question.unanswered,
    last_asked_at: question.lastAskedAt.toISOString(),
    conversation_ids: question.conversationIds,
  };
}
