import type { Database } from '../../database/database.ts';
import type { QuestionGrouping } from '../../services/analytics/question-grouping.ts';

export type QuestionActivities = ReturnType<typeof createQuestionActivities>;

export function createQuestionActivities({
  database,
  questionGrouping,
}: {
  database: Database;
  questionGrouping: QuestionGrouping;
}) {
  return {
    groupQuestionBatch: ({ after }: { after: string | null }) => questionGrouping.groupBatch(database, after),
    foldDeletedQuestions: () => questionGrouping.foldDeletions(database),
  };
}
