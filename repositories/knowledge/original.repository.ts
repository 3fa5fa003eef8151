import { MoreThan, Not, IsNull, type FindOptionsWhere } from 'typeorm';
import { whereNeedsReseal, type ContentTarget } from '../../database/content-conversion.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';

/** A document with the storage key of its original file. */
export type DocumentWithOriginal = Pick<Document, 'id' | 'orgId' | 'botId' | 'keyId' | 'sizeBytes'> & {
  storageKey: string;
};

/** Reads and replaces the storage keys and data keys of documents' original files. */
export class OriginalRepository {
  /**
   * Lists documents whose original files have to be encrypted or decrypted to match the target. Sorted by id.
   */
  async listNeedingReseal(
    { db, orgId }: OrgScope,
    target: ContentTarget,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<DocumentWithOriginal[]> {
    const where: FindOptionsWhere<Document> = { orgId, storageKey: Not(IsNull()) };
    const query = db
      .repository(Document)
      .createQueryBuilder('row')
      .select(['id', 'orgId', 'botId', 'keyId', 'storageKey', 'sizeBytes'].map((name) => `row.${name}`))
      .where({ ...where, ...(after !== null && { id: MoreThan(after) }) })
      .orderBy('row.id')
      .limit(limit);
    return whereNeedsReseal(query, target).getMany() as Promise<DocumentWithOriginal[]>;
  }

  /** Returns whether the document still has the original file with this storage key. */
  isCurrent({ db, orgId }: OrgScope, { id, storageKey }: DocumentWithOriginal): Promise<boolean> {
    return db.repository(Document).existsBy({ id, orgId, storageKey });
  }

  /**
   * Makes the next refresh of a web page download the page and store it, even if the page has not
   * changed. Does nothing if the original file was replaced in the meantime.
   */
  async forgetIndexed(
    { db, orgId }: OrgScope,
    { id, storageKey }: Pick<DocumentWithOriginal, 'id' | 'storageKey'>,
  ): Promise<void> {
    await db.repository(Document).update({ id, orgId, storageKey }, { indexedSha256: null });
  }

  /**
   * Stores the storage key and data key of a document's file that was encrypted or decrypted.
   * @returns false if the original file was replaced in the meantime, or the document was deleted
   */
  async replace(
    { db, orgId }: OrgScope,
    { id, storageKey }: DocumentWithOriginal,
    converted: Pick<DocumentWithOriginal, 'storageKey' | 'keyId'>,
  ): Promise<boolean> {
    const { affected } = await db.repository(Document).update({ id, orgId, storageKey }, converted);
    return affected === 1;
  }
}
