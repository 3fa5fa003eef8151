import type { Database } from '../../database/database.ts';
import type { OrgPurge } from '../../services/team/org-purge.ts';
import type { DeleteOrgInput } from '../../core/workflows/commands.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type OrgPurgeActivities = ReturnType<typeof createOrgPurgeActivities>;

export function createOrgPurgeActivities({
  database: db,
  orgPurge,
}: {
  database: Database;
  orgPurge: OrgPurge;
}) {
  return {
    takeBotsOfOrg: ({ orgId }: DeleteOrgInput) => orgPurge.markBotsDeleted({ orgId, db }),
    removeOrgRows: ({ orgId }: DeleteOrgInput) =>
      withHeartbeat((signal) => orgPurge.removeRows({ orgId, db }, signal)),
    removeOrgFiles: ({ orgId }: DeleteOrgInput) => withHeartbeat(() => orgPurge.removeFiles({ orgId, db })),
    countCalendarsOfOrg: ({ orgId }: DeleteOrgInput) => orgPurge.countCalendars({ orgId, db }),
    removeOrg: ({ orgId }: DeleteOrgInput) => withHeartbeat(() => orgPurge.removeOrg({ orgId, db })),
  };
}
