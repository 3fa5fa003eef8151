import { AnalyticsRepository } from '../../repositories/analytics/analytics.repository.ts';
import { QuestionQueueRepository } from '../../repositories/analytics/question-queue.repository.ts';
import { QuestionRepository } from '../../repositories/analytics/question.repository.ts';
import type { ServiceDeps, Shared } from '../service-deps.ts';
import { AnalyticsOverviewService } from './analytics-overview.service.ts';
import { QuestionGrouping } from './question-grouping.service.ts';
import { QuestionService } from './questions.service.ts';

/** What conversations come to, and what is asked in them. */
export function createAnalytics({ clock }: Pick<ServiceDeps, 'clock'>, { bots }: Pick<Shared, 'bots'>) {
  const analytics = new AnalyticsRepository();
  const questions = new QuestionRepository();
  return {
    analyticsFolding: analytics,
    analyticsOverview: new AnalyticsOverviewService({ analytics, bots, clock }),
    questions: new QuestionService({ questions, bots, clock }),
    questionGrouping: new QuestionGrouping({ questions, queue: new QuestionQueueRepository() }),
  };
}
