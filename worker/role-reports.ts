import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../core/logger.ts';
import type { WorkerRole } from '../core/settings/worker-roles.ts';
import { REPORT_EVERY_MS, type ServedRoles } from '../services/installation/served-roles.ts';

/**
 * Reports regularly which roles this worker has, until the signal aborts. Continues while the database is
 * unavailable.
 */
export async function reportRoles(
  servedRoles: Pick<ServedRoles, 'report'>,
  roles: ReadonlySet<WorkerRole>,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    await servedRoles
      .report(roles)
      .catch((error: unknown) => log.warn({ err: error }, 'cannot report the roles of this worker'));
    await sleep(REPORT_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
