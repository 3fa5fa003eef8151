import { QuestionQueueRepository } from '../../repositories/analytics/question-queue.repository.ts';
import { QuestionRepository } from '../../repositories/analytics/question.repository.ts';
import type { ServiceDeps, Shared } from '../service-deps.ts';
import { QuestionGrouping } from './question-grouping.service.ts';
import { QuestionService } from './questions.service.ts';

/** What conversations come to, and what is asked in them. */
export function createAnalytics({ clock }: Pick<ServiceDeps, 'clock'>, { bots }: Pick<Shared, 'bots'>) {
  const questions = new QuestionRepository();
  return {
    questions: new QuestionService({ questions, bots, clock }),
    questionGrouping: new QuestionGrouping({ questions, queue: new QuestionQueueRepository() }),
  };
}
