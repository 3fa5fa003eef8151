import { In } from 'typeorm';
import { notFound } from '../../core/errors/errors.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** As much of a document as a poll needs. */
export type DocumentProgress = Pick<Document, 'id' | 'status' | 'chunkCount' | 'errorMessage'>;

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
    return ofBot(await this.lock(scope, id), botId);
  }

  /** Null when there is none, or its bot is deleted. */
  findProgress(scope: OrgScope, botId: string, id: string): Promise<DocumentProgress | null> {
    return this.query(scope)
      .select(['row.id', 'row.status', 'row.chunkCount', 'row.errorMessage'])
      .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
      .andWhere('row.id = :id AND row.botId = :botId', { id, botId })
      .getOne();
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
    await db.repository(Document).delete({ id: In(ids), orgId });
  }
}

function ofBot(document: Document, botId: string): Document {
  if (document.botId !== botId) throw notFound('document');
  return document;
}
