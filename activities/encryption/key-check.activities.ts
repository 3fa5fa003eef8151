import type { Database } from '../../database/database.ts';
import type { KeyCheckResult, KeyChecks } from '../../services/encryption/key-checks.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type { KeyCheckResult as CheckedKeyServices };
export type KeyCheckActivities = ReturnType<typeof createKeyCheckActivities>;

export function createKeyCheckActivities({
  database,
  keyChecks,
}: {
  database: Database;
  keyChecks: KeyChecks;
}) {
  return {
    checkSomeKeyServices: ({ after }: { after: string | null }) =>
      withHeartbeat(() => keyChecks.check(database, after)),
  };
}
