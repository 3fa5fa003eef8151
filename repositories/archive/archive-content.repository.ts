import { IsNull, MoreThan } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';

/** Data keys of the files of exports and imports. */
export class ArchiveContentRepository {
  /** Returns the next job, by id, that may have files in storage; null after the last. */
  findNext({ db, orgId }: OrgScope, after: string | null): Promise<ArchiveJob | null> {
    return db.repository(ArchiveJob).findOne({
      where: { orgId, hasFiles: true, ...(after !== null && { id: MoreThan(after) }) },
      order: { id: 'ASC' },
    });
  }

  /** Stores the new key of resealed files, unless the job's files have been replaced meanwhile. */
  async replaceKey(
    { db, orgId }: OrgScope,
    { id, keyId: former }: Pick<ArchiveJob, 'id' | 'keyId'>,
    keyId: string | null,
  ): Promise<void> {
    await db.repository(ArchiveJob).update({ id, orgId, keyId: former ?? IsNull() }, { keyId });
  }
}
