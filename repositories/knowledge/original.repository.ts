import { MoreThan, Not, IsNull, type FindOptionsWhere } from 'typeorm';
import { whereNeedsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';

/** A document, as far as its original is concerned. */
export type DocumentWithOriginal = Pick<Document, 'id' | 'orgId' | 'botId' | 'keyId'> & {
  storageKey: string;
};

/** Where originals are, and what they are sealed with. */
export class OriginalRepository {
  /** Those that are kept in another way than the target says, in the order of the ids. */
  async listOthers(
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

  /** Whether the document has this original. */
  isNamed({ db, orgId }: OrgScope, { id, storageKey }: DocumentWithOriginal): Promise<boolean> {
    return db.repository(Document).existsBy({ id, orgId, storageKey });
  }

  /** Returns false where the document has another original by now, or is deleted. */
  async replace(
    { db, orgId }: OrgScope,
    { id, storageKey }: DocumentWithOriginal,
    present: Pick<DocumentWithOriginal, 'storageKey' | 'keyId'>,
  ): Promise<boolean> {
    const { affected } = await db.repository(Document).update({ id, orgId, storageKey }, present);
    return affected === 1;
  }
}
