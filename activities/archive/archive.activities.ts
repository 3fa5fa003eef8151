import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { ArchiveExport } from '../../services/archive/exports/archive-export.ts';
import type { ArchiveImport } from '../../services/archive/imports/archive-import.ts';
import type { ArchiveJobService } from '../../services/archive/archive-job-service.ts';
import type { ArchiveSweep } from '../../services/archive/archive-sweep.ts';
import type { ArchiveJobInput } from '../../core/workflows/commands.ts';
import type { QueueTicket } from '../../core/workflows/queue-ticket.ts';
import { PayerQueue } from '../../services/requests/payer-queue.ts';
import { withHeartbeat } from '../with-heartbeat.ts';

export type ArchiveActivities = ReturnType<typeof createArchiveActivities>;

export interface ArchiveActivitiesDeps {
  database: Database;
  archiveJobs: ArchiveJobService;
  archiveExport: ArchiveExport;
  archiveImport: ArchiveImport;
  archiveSweep: ArchiveSweep;
}

/**
 * Maximum number of export and import steps that a worker runs at once: each has a part of an archive in
 * memory. A single payer uses one of these slots.
 */
const ARCHIVES_AT_ONCE = 2;
const MAX_WAITING = 8;
/**
 * Maximum time in milliseconds that an archive activity waits for a slot, longer than the pauses of
 * `runInTurn`. The next run may be in another worker.
 */
const MAX_WAIT_MS = 25_000;
/**
 * Number of archive activities that a worker runs beyond its slots and its waiting list. They return at once
 * because the list is full, or remove expired archives.
 */
const SPARE_ACTIVITIES = 4;
/** Maximum number of activities for archives that a worker runs at once. */
export const ARCHIVE_ACTIVITIES_AT_ONCE = ARCHIVES_AT_ONCE + MAX_WAITING + SPARE_ACTIVITIES;
/**
 * Time in milliseconds after which an export or import of an archive returns its slot, so that other payers
 * get a slot. An import reads the archive from its start in each slot, so this time is not shorter.
 */
const TURN_MS = 60_000;

type Target = Pick<ArchiveJobInput, 'orgId' | 'jobId'>;

export function createArchiveActivities({ database: db, ...services }: ArchiveActivitiesDeps) {
  const { archiveJobs, archiveExport, archiveImport, archiveSweep } = services;
  const queue = new PayerQueue({
    slots: ARCHIVES_AT_ONCE,
    maxWaiting: MAX_WAITING,
    maxWaitMs: MAX_WAIT_MS,
  });
  /**
   * Runs `work`, a step of an export or import, in a slot. Returns `out_of_turn` if the workspace's payer
   * gets no slot in time, or if the work is not complete when its turn ends.
   */
  const runInSlot = <T>(
    { orgId, waitingSince }: Target & QueueTicket,
    work: (scope: OrgScope, signal: AbortSignal) => Promise<T>,
    turnMs = Infinity,
  ): Promise<T | 'out_of_turn'> =>
    withHeartbeat((signal) => {
      const scope = { orgId, db };
      const workInTurn = () => runTurn(turnMs, signal, (turn) => work(scope, turn));
      return queue.run(scope, workInTurn, signal, { waitingSince });
    });
  return {
    writeArchiveFiles: (target: Target & QueueTicket) =>
      runInSlot(target, (scope, signal) => archiveExport.writeFiles(scope, target.jobId, signal), TURN_MS),
    joinArchive: (target: Target & QueueTicket) =>
      runInSlot(target, (scope, signal) => archiveExport.join(scope, target.jobId, signal)),
    verifyArchive: (target: Target & QueueTicket) =>
      runInSlot(target, (scope, signal) => archiveImport.verify(scope, target.jobId, signal)),
    commitArchive: (target: Target & QueueTicket) =>
      runInSlot(target, (scope, signal) => archiveImport.commit(scope, target.jobId, signal), TURN_MS),
    failArchive: ({ orgId, jobId, reason }: Target & { reason: string }) =>
      archiveJobs.fail({ orgId, db }, jobId, reason),
    removeExpiredArchives: () => withHeartbeat((signal) => archiveSweep.run(db, signal)),
  };
}

/**
 * Runs `work`, a step of an export or import, and aborts it after `turnMs`. Returns `out_of_turn` if the work
 * is then not complete.
 */
async function runTurn<T>(
  turnMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | 'out_of_turn'> {
  if (turnMs === Infinity) return work(signal);
  const turn = AbortSignal.timeout(turnMs);
  try {
    return await work(AbortSignal.any([signal, turn]));
  } catch (error) {
    if (error !== turn.reason) throw error;
    return 'out_of_turn';
  }
}
