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
    /**
     * Adds a batch of recorded changes of analytics numbers to the stored totals. Returns the number of
     * changes.
     */
    foldBatch: () => analyticsFolding.fold(database),
  };
}
