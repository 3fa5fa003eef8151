import type { Database } from '../../database/database.ts';
import type { AnalyticsRepository } from '../../repositories/analytics/analytics.repository.ts';

export type FoldActivities = ReturnType<typeof createFoldActivities>;

export function createFoldActivities({
  database,
  analyticsFolding,
}: {
  database: Database;
  analyticsFolding: Pick<AnalyticsRepository, 'fold'>;
}) {
  return {
    /** Returns the number of folded deltas of all kinds. */
    foldBatch: () => analyticsFolding.fold(database),
  };
}
