import { whereNeedsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { deleteReturning } from '../../database/returning.ts';
import { isOlderThan } from '../../database/times.ts';
import { ArchiveUpload } from '../../entities/archive/archive-upload.entity.ts';

/** No request lasts for so long: whatever is older comes no more. */
const ABANDONED = "interval '2 hours'";

/** Archives that are coming in. */
export class ArchiveUploadRepository {
  async insert({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(ArchiveUpload).insert({ id, orgId });
  }

  /** Notes what the file is sealed with. */
  async note({ db, orgId }: OrgScope, id: string, keyId: string | null): Promise<void> {
    await db.repository(ArchiveUpload).update({ id, orgId }, { keyId });
  }

  /** Removes it, as a job takes its place; null where there is none. */
  async take({ db, orgId }: OrgScope, id: string): Promise<ArchiveUpload | null> {
    const [taken] = await deleteReturning(db.repository(ArchiveUpload), { id, orgId });
    return taken ?? null;
  }

  async delete({ db, orgId }: OrgScope, id: string): Promise<void> {
    await db.repository(ArchiveUpload).delete({ id, orgId });
  }

  /** Those whose sender is gone, of all workspaces or of one. */
  listAbandoned(db: Database, orgId: string | null, limit: number): Promise<ArchiveUpload[]> {
    return db.repository(ArchiveUpload).find({
      where: { createdAt: isOlderThan(ABANDONED), ...(orgId !== null && { orgId }) },
      order: { createdAt: 'ASC' },
      take: limit,
    });
  }

  /** How many are, or may be, stored in another way than the target says. */
  countOthers({ db, orgId }: OrgScope, target: ContentTarget): Promise<number> {
    const query = db.repository(ArchiveUpload).createQueryBuilder('row').where({ orgId });
    return whereNeedsReseal(query, target).getCount();
  }
}
