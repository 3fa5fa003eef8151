import type { TopQuestion } from '../../repositories/analytics/question.sql.ts';
import type { QuestionCluster } from './questions.schemas.ts';

export function presentQuestion(question: TopQuestion): QuestionCluster {
  return {
    id: question.id,
    bot_id: question.botId,
    question: question.question,
    asked: question.asked,
    unanswered: question.unanswered,
    last_asked_at: question.lastAskedAt.toISOString(),
    conversation_ids: question.conversationIds,
  };
}
