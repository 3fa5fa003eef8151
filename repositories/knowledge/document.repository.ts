import { notFound } from '../../core/errors/errors.ts';
import type { PreparedStatement } from '../../database/database.ts';
import { Document, type DocumentStatus } from '../../entities/knowledge/document.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** As much of a document as a poll needs. */
export interface DocumentProgress {
  id: string;
  status: DocumentStatus;
  chunkCount: number;
  errorMessage: string | null;
}

const PROGRESS: PreparedStatement = {
  name: 'document-progress',
  text: `
    SELECT d.id, d.status, d.chunk_count AS "chunkCount", d.error_message AS "errorMessage"
    FROM documents d
    JOIN bots b ON b.id = d.bot_id AND b.deleted_at IS NULL
    WHERE d.id = $1 AND d.org_id = $2 AND d.bot_id = $3`,
};

export class DocumentRepository extends ScopedRepository<Document> {
  constructor() {
    super(Document, 'document');
  }

  /** @throws AppError `forbidden` or `not_found`, also when the document is another bot's */
  async getOfBot(scope: OrgScope, botId: string, id: string): Promise<Document> {
    return ofBot(await this.get(scope, id), botId);
  }

  /** Locks the row until the transaction ends. @throws like `getOfBot` */
  async getOfBotForUpdate(scope: OrgScope, botId: string, id: string): Promise<Document> {
    return ofBot(await this.getForUpdate(scope, id), botId);
  }

  async progressOf({ db, orgId }: OrgScope, botId: string, id: string): Promise<DocumentProgress | null> {
    const [row] = await db.prepared<DocumentProgress>(PROGRESS, [id, orgId, botId]);
    return row ?? null;
  }

  /** The pages of a sitemap, locked until the transaction ends. */
  async lockChildren(scope: OrgScope, parentId: string): Promise<Document[]> {
    return this.query(scope)
      .andWhere('row.parent_id = :parentId', { parentId })
      .orderBy('row.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  async deleteAll({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    await db.sql('DELETE FROM documents WHERE id = ANY($1) AND org_id = $2', [ids, orgId]);
  }
}

function ofBot(document: Document, botId: string): Document {
  if (document.botId !== botId) throw notFound('document');
  return document;
}
