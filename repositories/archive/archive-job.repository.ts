import { In, IsNull, MoreThan, Not, type QueryDeepPartialEntity } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { ScopedRepository, type RowChanges } from '../../database/scoped.repository.ts';
import { isNewerThan, isOlderThan, isInPast, isInFuture } from '../../database/times.ts';
import { ArchiveFile } from '../../entities/archive/archive-file.entity.ts';
import { ArchiveJob, unfinishedJobStatuses } from '../../entities/archive/archive-job.entity.ts';

const LIST_PERIOD = "interval '30 days'";
const MAX_LISTED = 1000;

export class ArchiveJobRepository extends ScopedRepository<ArchiveJob> {
  constructor() {
    super(ArchiveJob, 'job');
  }

  /** Lists exports and imports of the last 30 days, newest first. */
  list(scope: OrgScope): Promise<ArchiveJob[]> {
    return this.query(scope)
      .andWhere({ createdAt: isNewerThan(LIST_PERIOD) })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(MAX_LISTED)
      .getMany();
  }

  countUnfinished({ db, orgId }: OrgScope): Promise<number> {
    return db.repository(ArchiveJob).countBy({ orgId, status: In(unfinishedJobStatuses) });
  }

  /**
   * Stores a completed step of an export or import.
   * @returns false if another process has completed the step
   */
  async advance(
    { db, orgId }: OrgScope,
    { id, step }: Pick<ArchiveJob, 'id' | 'step'>,
    changes: RowChanges<ArchiveJob>,
  ): Promise<boolean> {
    const columns = changes as QueryDeepPartialEntity<ArchiveJob>;
    const result = await db
      .repository(ArchiveJob)
      .update({ id, orgId, step, status: In(unfinishedJobStatuses) }, { ...columns, step: step + 1 });
    return result.affected === 1;
  }

  /**
   * Restarts an export from its first conversation. Does nothing if another process has completed a step of
   * the export in the meantime.
   */
  async restartExport(scope: OrgScope, job: Pick<ArchiveJob, 'id' | 'step'>): Promise<void> {
    await inTransaction(scope, async (tx) => {
      if (await this.advance(tx, job, { position: null })) await this.deleteFiles(tx, job.id);
    });
  }

  /**
   * Lists unfinished exports and imports of all workspaces that were created longer ago than the interval, by
   * id.
   */
  listUnfinished(
    db: Database,
    { interval, after, limit }: { interval: string; after: string | null; limit: number },
  ): Promise<Pick<ArchiveJob, 'id' | 'orgId' | 'kind'>[]> {
    const unfinished = { status: In(unfinishedJobStatuses), createdAt: isOlderThan(interval) };
    return db.repository(ArchiveJob).find({
      where: { ...unfinished, ...(after !== null && { id: MoreThan(after) }) },
      select: { id: true, orgId: true, kind: true },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  /** Lists exports and imports of all workspaces that have files in storage which may be deleted. */
  listWithUnneededFiles(db: Database, limit: number): Promise<Pick<ArchiveJob, 'id' | 'orgId'>[]> {
    const withFiles = { hasFiles: true } as const;
    return db.repository(ArchiveJob).find({
      where: [
        { ...withFiles, kind: 'import', finishedAt: Not(IsNull()) },
        { ...withFiles, status: 'failed' },
        { ...withFiles, kind: 'export', expiresAt: isInPast() },
      ],
      select: { id: true, orgId: true },
      order: { createdAt: 'ASC' },
      take: limit,
    });
  }

  async markWithoutFiles({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(ArchiveJob).update({ id, orgId }, { hasFiles: false });
    await db.repository(ArchiveFile).delete({ orgId, jobId: id });
  }

  /** Deletes old exports and imports that are no longer listed and have no files. Returns their number. */
  async deleteOld(db: Database): Promise<number> {
    const { affected } = await db
      .repository(ArchiveJob)
      .delete({ createdAt: isOlderThan(LIST_PERIOD), hasFiles: false });
    return affected ?? 0;
  }

  /**
   * Expires completed exports and restarts running exports, so that no export contains the data of an erased
   * person. A periodic sweep deletes their files.
   */
  async invalidateExports({ db, orgId }: OrgScope): Promise<void> {
    const jobs = db.repository(ArchiveJob);
    await jobs.update(
      { orgId, kind: 'export', status: 'completed', expiresAt: isInFuture() },
      { expiresAt: () => 'now()' },
    );
    const runningExport = { orgId, kind: 'export', status: 'running' } as const;
    const restarted = await updateReturning(jobs, runningExport, {
      position: () => 'NULL',
      step: () => 'step + 1',
    });
    await db.repository(ArchiveFile).delete({ orgId, jobId: In(restarted.map(({ id }) => id)) });
  }

  async insertFile({ db, orgId }: OrgScope, file: Omit<ArchiveFile, 'orgId'>): Promise<void> {
    await db.repository(ArchiveFile).insert({ ...file, orgId });
  }

  /** Lists the files of an export in the order of the archive: by part, kind and name. */
  listFiles({ db, orgId }: OrgScope, jobId: string): Promise<ArchiveFile[]> {
    return db
      .repository(ArchiveFile)
      .find({ where: { orgId, jobId }, order: { part: 'ASC', kind: 'ASC', name: 'ASC' } });
  }

  async deleteFiles({ db, orgId }: OrgScope, jobId: string): Promise<void> {
    await db.repository(ArchiveFile).delete({ orgId, jobId });
  }
}
