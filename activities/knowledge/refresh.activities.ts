import type { Database } from '../../database/database.ts';
import type { RefreshSchedules, RefreshService } from '../../services/knowledge/crawling/refresh-service.ts';
import type { RefreshDocumentInput, ScheduleRefreshesInput } from '../../core/workflows/commands.ts';

export type RefreshActivities = ReturnType<typeof createRefreshActivities>;

export function createRefreshActivities({
  database: db,
  refreshes,
  schedules,
}: {
  database: Database;
  refreshes: RefreshService;
  schedules: RefreshSchedules;
}) {
  return {
    beginRefresh: ({ orgId, documentId }: RefreshDocumentInput) => refreshes.begin({ orgId, db }, documentId),
    listRefreshes: ({ orgId, botId, after }: ScheduleRefreshesInput & { after: string | null }) =>
      refreshes.list({ orgId, db }, botId, after),
    /** Makes the Temporal schedules of these documents match the database. */
    applyRefreshes: ({ orgId, documentIds }: { orgId: string; documentIds: string[] }) =>
      refreshes.applySchedules({ orgId, db }, schedules, documentIds),
  };
}
