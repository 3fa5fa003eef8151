import type { Database } from '../../database/database.ts';
import type { PlanNotices } from '../../services/usage/plan-notices.ts';
import type { UsageFold } from '../../services/usage/usage-fold.ts';

export type UsageActivities = ReturnType<typeof createUsageActivities>;

export function createUsageActivities({
  database,
  usageFold,
  planNotices,
}: {
  database: Database;
  usageFold: UsageFold;
  planNotices: PlanNotices;
}) {
  return {
    foldUsage: () => usageFold.foldBatch(database),
    mailUsedPlans: () => planNotices.notifyReached(),
  };
}
