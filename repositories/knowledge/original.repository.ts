import { MoreThan, Not, IsNull, type FindOptionsWhere } from 'typeorm';
import { whereNeedsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';

/** A document with its original file. */
export type DocumentWithOriginal = Pick<Document, 'id' | 'orgId' | 'botId' | 'keyId'> & {
  storageKey: string;
};

/** Storage keys and data keys of original files. */
export class OriginalRepository {
  /** Lists documents whose originals have to be converted to match the target, by id. */
  async listNeedingReseal(
    { db, orgId }: OrgScope,
    target: ContentTarget,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<DocumentWithOriginal[]> {
    const where: FindOptionsWhere<Document> = { orgId, storageKey: Not(IsNull()) };
    const query = db
      .repository(Document)
      .createQueryBuilder('row')
      .select(['row.id', 'row.orgId', 'row.botId', 'row.keyId', 'row.storageKey'])
      .where({ ...where, ...(after !== null && { id: MoreThan(after) }) })
      .orderBy('row.id')
      .limit(limit);
    return whereNeedsReseal(query, target).getMany() as Promise<DocumentWithOriginal[]>;
  }

  /** True if this is the document's current original. */
  isCurrent({ db, orgId }: OrgScope, { id, storageKey }: DocumentWithOriginal): Promise<boolean> {
    return db.repository(Document).existsBy({ id, orgId, storageKey });
  }

  /** @returns false if the document has another original or was deleted */
  async replace(
    { db, orgId }: OrgScope,
    { id, storageKey }: DocumentWithOriginal,
    present: Pick<DocumentWithOriginal, 'storageKey' | 'keyId'>,
  ): Promise<boolean> {
    const { affected } = await db.repository(Document).update({ id, orgId, storageKey }, present);
    return affected === 1;
  }
}
