import { In, IsNull, MoreThan, Not, type QueryDeepPartialEntity } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { updateReturning } from '../../database/returning.ts';
import { ScopedRepository, type RowChanges } from '../../database/scoped.repository.ts';
import { isNewerThan, isOlderThan, isPast, isToCome } from '../../database/times.ts';
import { ArchiveFile } from '../../entities/archive/archive-file.entity.ts';
import { ArchiveJob, unfinishedJobStatuses } from '../../entities/archive/archive-job.entity.ts';

const LISTED = "interval '30 days'";
const MOST_LISTED = 1000;

export class ArchiveJobRepository extends ScopedRepository<ArchiveJob> {
  constructor() {
    super(ArchiveJob, 'job');
  }

  /** Those of the last 30 days, newest first. */
  list(scope: OrgScope): Promise<ArchiveJob[]> {
    return this.query(scope)
      .andWhere({ createdAt: isNewerThan(LISTED) })
      .orderBy('row.createdAt', 'DESC')
      .addOrderBy('row.id', 'DESC')
      .limit(MOST_LISTED)
      .getMany();
  }

  countUnfinished({ db, orgId }: OrgScope): Promise<number> {
    return db.repository(ArchiveJob).countBy({ orgId, status: In(unfinishedJobStatuses) });
  }

  /** Writes a step down, unless somebody else has meanwhile: returns whether it was so. */
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

  /** An export begins with its first conversation again, unless somebody else has taken a step meanwhile. */
  async beginAnew(scope: OrgScope, job: Pick<ArchiveJob, 'id' | 'step'>): Promise<void> {
    await inTransaction(scope, async (tx) => {
      if (await this.advance(tx, job, { position: null })) await this.deleteFiles(tx, job.id);
    });
  }

  /** Unfinished ones of all workspaces that were asked for longer ago, in the order of their ids. */
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

  /** Of which storage may have something that nobody needs any more; they are of all workspaces. */
  listWithLeftovers(db: Database, limit: number): Promise<Pick<ArchiveJob, 'id' | 'orgId'>[]> {
    const left = { hasFiles: true } as const;
    return db.repository(ArchiveJob).find({
      where: [
        { ...left, kind: 'import', finishedAt: Not(IsNull()) },
        { ...left, status: 'failed' },
        { ...left, kind: 'export', expiresAt: isPast() },
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

  /** Removes what no list shows any more; returns how many there were. */
  async deleteOld(db: Database): Promise<number> {
    const { affected } = await db
      .repository(ArchiveJob)
      .delete({ createdAt: isOlderThan(LISTED), hasFiles: false });
    return affected ?? 0;
  }

  /**
   * Has nobody download what was exported before any more, and what is being exported begin anew, as somebody is in there who must
   * not be. The sweep removes the files.
   */
  async forgetExports({ db, orgId }: OrgScope): Promise<void> {
    const jobs = db.repository(ArchiveJob);
    await jobs.update(
      { orgId, kind: 'export', status: 'completed', expiresAt: isToCome() },
      { expiresAt: () => 'now()' },
    );
    const begun = { orgId, kind: 'export', status: 'running' } as const;
    const again = await updateReturning(jobs, begun, { position: () => 'NULL', step: () => 'step + 1' });
    await db.repository(ArchiveFile).delete({ orgId, jobId: In(again.map(({ id }) => id)) });
  }

  async insertFile({ db, orgId }: OrgScope, file: Omit<ArchiveFile, 'orgId'>): Promise<void> {
    await db.repository(ArchiveFile).insert({ ...file, orgId });
  }

  /** In the order in which they stand in an archive: by part, kind and name. */
  listFiles({ db, orgId }: OrgScope, jobId: string): Promise<ArchiveFile[]> {
    return db
      .repository(ArchiveFile)
      .find({ where: { orgId, jobId }, order: { part: 'ASC', kind: 'ASC', name: 'ASC' } });
  }

  async deleteFiles({ db, orgId }: OrgScope, jobId: string): Promise<void> {
    await db.repository(ArchiveFile).delete({ orgId, jobId });
  }
}
