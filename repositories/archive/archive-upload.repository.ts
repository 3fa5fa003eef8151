import { whereNeedsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning } from '../../database/returning.ts';
import { isOlderThan } from '../../database/times.ts';
import { ArchiveUpload } from '../../entities/archive/archive-upload.entity.ts';

/** Age after which the upload of an archive counts as abandoned, because no request lasts so long. */
const ABANDONED_AFTER = "interval '2 hours'";

/** Stores archives that are being uploaded for an import. */
export class ArchiveUploadRepository {
  async insert({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(ArchiveUpload).insert({ id, orgId });
  }

  /** Stores the data key with which the uploaded archive is encrypted. */
  async updateKey({ db, orgId }: OrgScope, id: string, keyId: string | null): Promise<void> {
    await db.repository(ArchiveUpload).update({ id, orgId }, { keyId });
  }

  /**
   * Deletes the upload of an archive and returns it, when an import takes over its file. Null if the upload
   * does not exist.
   */
  async claim({ db, orgId }: OrgScope, id: string): Promise<ArchiveUpload | null> {
    const [deleted] = await deleteReturning(db.repository(ArchiveUpload), { id, orgId });
    return deleted ?? null;
  }

  async delete({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(ArchiveUpload).delete({ id, orgId });
  }

  /**
   * Lists abandoned uploads of archives.
   * @param orgId their workspace; null for all workspaces
   */
  listAbandoned(db: Database, orgId: string | null, limit: number): Promise<ArchiveUpload[]> {
    return db.repository(ArchiveUpload).find({
      where: { createdAt: isOlderThan(ABANDONED_AFTER), ...(orgId !== null && { orgId }) },
      order: { createdAt: 'ASC' },
      take: limit,
    });
  }

  /** Counts uploaded archives whose files may have to be encrypted or decrypted to match the target. */
  countNeedingReseal({ db, orgId }: OrgScope, target: ContentTarget): Promise<number> {
    const query = db.repository(ArchiveUpload).createQueryBuilder('row').where({ orgId });
    return whereNeedsReseal(query, target).getCount();
  }
}
