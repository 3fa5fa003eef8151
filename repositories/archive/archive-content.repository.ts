import { IsNull, MoreThan } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ArchiveJob } from '../../entities/archive/archive-job.entity.ts';

/** What the files of exports and imports are sealed with. */
export class ArchiveContentRepository {
  /** The next one, in the order of the ids, of which storage may have something; null after the last. */
  findNext({ db, orgId }: OrgScope, after: string | null): Promise<ArchiveJob | null> {
    return db.repository(ArchiveJob).findOne({
      where: { orgId, hasFiles: true, ...(after !== null && { id: MoreThan(after) }) },
      order: { id: 'ASC' },
    });
  }

  /** Names the key of files that have taken the place of others, unless those are not the present ones any more. */
  async exchangeKey(
    { db, orgId }: OrgScope,
    { id, keyId: former }: Pick<ArchiveJob, 'id' | 'keyId'>,
    keyId: string | null,
  ): Promise<void> {
    await db.repository(ArchiveJob).update({ id, orgId, keyId: former ?? IsNull() }, { keyId });
  }
}
