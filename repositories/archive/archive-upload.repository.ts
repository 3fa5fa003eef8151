import { whereNeedsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning } from '../../database/returning.ts';
import { isOlderThan } from '../../database/times.ts';
import { ArchiveUpload } from '../../entities/archive/archive-upload.entity.ts';

/** Longer than any request: an older upload will not complete. */
const ABANDONED_AFTER = "interval '2 hours'";

/** Archives that are being uploaded. */
export class ArchiveUploadRepository {
  async insert({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(ArchiveUpload).insert({ id, orgId });
  }

  /** Stores which data key the file is encrypted with. */
  async updateKey({ db, orgId }: OrgScope, id: string, keyId: string | null): Promise<void> {
    await db.repository(ArchiveUpload).update({ id, orgId }, { keyId });
  }

  /** Deletes the upload when a job takes over its file; null if it does not exist. */
  async claim({ db, orgId }: OrgScope, id: string): Promise<ArchiveUpload | null> {
    const [taken] = await deleteReturning(db.repository(ArchiveUpload), { id, orgId });
    return taken ?? null;
  }

  async delete({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(ArchiveUpload).delete({ id, orgId });
  }

  /** Lists uploads whose client has disconnected, of all workspaces or of one. */
  listAbandoned(db: Database, orgId: string | null, limit: number): Promise<ArchiveUpload[]> {
    return db.repository(ArchiveUpload).find({
      where: { createdAt: isOlderThan(ABANDONED_AFTER), ...(orgId !== null && { orgId }) },
      order: { createdAt: 'ASC' },
      take: limit,
    });
  }

  /** Counts uploads whose files may have to be converted to match the target. */
  countNeedingReseal({ db, orgId }: OrgScope, target: ContentTarget): Promise<number> {
    const query = db.repository(ArchiveUpload).createQueryBuilder('row').where({ orgId });
    return whereNeedsReseal(query, target).getCount();
  }
}
