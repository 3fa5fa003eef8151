import { AnalyticsRepository } from '../../repositories/analytics/analytics.repository.ts';
import { QuestionQueueRepository } from '../../repositories/analytics/question-queue.repository.ts';
import { QuestionRepository } from '../../repositories/analytics/question.repository.ts';
import type { ServiceDeps } from '../service-deps.ts';
import { AnalyticsOverviewService } from './analytics-overview-service.ts';
import { QuestionGrouping } from './question-grouping.ts';
import { QuestionService } from './question-service.ts';

/** Creates the services for analytics and visitors' questions. */
export function createAnalytics({ clock }: Pick<ServiceDeps, 'clock'>) {
  const analytics = new AnalyticsRepository();
  const questions = new QuestionRepository();
  return {
    analyticsFolding: analytics,
    analyticsOverview: new AnalyticsOverviewService({ analytics, clock }),
    questions: new QuestionService({ questions, clock }),
    questionGrouping: new QuestionGrouping({ questions, queue: new QuestionQueueRepository() }),
  };
}
