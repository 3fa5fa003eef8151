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
    /** Folds a batch of analytics deltas into their rollups. Returns the number of deltas. */
    foldBatch: () => analyticsFolding.fold(database),
  };
}
