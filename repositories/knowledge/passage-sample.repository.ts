import { In } from 'typeorm';
import { decryptRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';

/** A document from which random passages are read. */
export type SampledDocument = Pick<Document, 'id' | 'title' | 'chunkCount' | 'isQa'>;

export interface SampledPassage {
  title: string;
  /** Whether the document's title is a question that its text answers. */
  isQa: boolean;
  headings: string[];
  text: string;
}

/** Reads random passages of a bot's documents. */
export class PassageSampleRepository {
  /** Returns random documents of a bot that have passages. */
  listDocuments({ db, orgId }: OrgScope, botId: string, limit: number): Promise<SampledDocument[]> {
    return db
      .repository(Document)
      .createQueryBuilder('row')
      .select(['row.id', 'row.title', 'row.chunkCount', 'row.isQa'])
      .where({ orgId, botId, status: 'indexed' })
      .andWhere('row.chunkCount > 0')
      .orderBy('random()')
      .limit(limit)
      .getMany();
  }

  /**
   * Returns the passages of documents at the given positions, ordered by document id and position.
   * @throws AppError `key_unavailable`
   */
  async listPassages(
    { db, orgId }: OrgScope,
    documents: readonly SampledDocument[],
    positions: ReadonlyMap<string, readonly number[]>,
  ): Promise<SampledPassage[]> {
    const where = documents.flatMap(({ id }) => {
      const documentPositions = positions.get(id) ?? [];
      return documentPositions.length === 0
        ? []
        : [{ orgId, documentId: id, position: In([...documentPositions]) }];
    });
    if (where.length === 0) return [];
    const chunks = await db.repository(Chunk).find({ where, order: { documentId: 'ASC', position: 'ASC' } });
    const byId = new Map(documents.map((document) => [document.id, document]));
    const opened = await decryptRows(db, Chunk, chunks);
    return opened.map(({ documentId, headings, text }) => ({
      title: byId.get(documentId)?.title ?? '',
      isQa: byId.get(documentId)?.isQa ?? false,
      headings,
      text,
    }));
  }
}
