import { IsNull, MoreThan } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';

/** Reads and changes the data keys of the files of exports and imports. */
export class ArchiveContentRepository {
  /**
   * Returns the export or import with the next higher id that may have files in storage; null if none exists.
   */
  findNext({ db, orgId }: OrgScope, after: string | null): Promise<ArchiveJob | null> {
    return db.repository(ArchiveJob).findOne({
      where: { orgId, hasFiles: true, ...(after !== null && { id: MoreThan(after) }) },
      order: { id: 'ASC' },
    });
  }

  /**
   * Stores the data key with which the files of an export or import were encrypted again. Changes nothing if
   * the files were replaced in the meantime.
   */
  async replaceKey(
    { db, orgId }: OrgScope,
    { id, keyId: previous }: Pick<ArchiveJob, 'id' | 'keyId'>,
    keyId: string | null,
  ): Promise<void> {
    await db.repository(ArchiveJob).update({ id, orgId, keyId: previous ?? IsNull() }, { keyId });
  }
}
