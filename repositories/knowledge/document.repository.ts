import { In, IsNull, MoreThan, Not } from 'typeorm';
import { lockName } from '../../database/advisory-lock.ts';
import { notFound } from '../../core/errors/errors.ts';
import { Bot, type BotStatus } from '../../entities/bots/bot.entity.ts';
import { Document, type RefreshRate } from '../../entities/knowledge/document.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** Columns that clients need while they poll for the progress of a document. */
export type DocumentProgress = Pick<
  Document,
  | 'id'
  | 'status'
  | 'chunkCount'
  | 'errorMessage'
  | 'notice'
  | 'sourceType'
  | 'revision'
  | 'crawl'
  | 'crawlProgress'
>;

/** Refresh schedule of a document: when its source is fetched again. */
export interface Refresh {
  orgId: string;
  botId: string;
  documentId: string;
  rate: Exclude<RefreshRate, 'none'>;
  /** True if refreshing the document is paused because the bot is not active. */
  isPaused: boolean;
}

export class DocumentRepository extends ScopedRepository<Document> {
  constructor() {
    super(Document, 'document');
  }

  /**
   * Returns a document of the bot.
   * @throws AppError `forbidden` or `not_found`, also if the document belongs to another bot
   */
  async getForBot(scope: OrgScope, botId: string, id: string): Promise<Document> {
    return requireBotDocument(await this.get(scope, id), botId);
  }

  /**
   * Returns a document of the bot and locks it until the transaction ends.
   * @throws like `getForBot`
   */
  async lockForBot(scope: OrgScope, botId: string, id: string): Promise<Document> {
    return requireBotDocument(await this.lock(scope, id), botId);
  }

  /**
   * Returns the bot's document with this external id.
   * @throws AppError `not_found`
   */
  async getExternal(scope: OrgScope, botId: string, externalId: string): Promise<Document> {
    const document = await this.#queryExternalId(scope, botId, externalId).getOne();
    if (document === null) throw notFound('document');
    return document;
  }

  /**
   * Returns the bot's document with this external id, or null. Locks the document until the transaction ends.
   * Concurrent callers with the same external id wait, even if no document has this id.
   */
  async lockExternal(scope: OrgScope, botId: string, externalId: string): Promise<Document | null> {
    await lockName(scope.db, `external document ${botId} ${externalId}`);
    return this.#queryExternalId(scope, botId, externalId).setLock('pessimistic_write').getOne();
  }

  #queryExternalId(scope: OrgScope, botId: string, externalId: string) {
    return this.queryExternal(scope, botId).andWhere('row.external_id = :externalId', { externalId });
  }

  /** Returns a query for the bot's documents that have an external id. */
  queryExternal(scope: OrgScope, botId: string) {
    return this.query(scope).andWhere('row.bot_id = :botId AND row.external_id IS NOT NULL', { botId });
  }

  /**
   * Returns the oldest document of the bot with this content that is indexed or being indexed; null if no
   * document has it. Concurrent callers with the same content wait until the transaction ends.
   */
  async lockSameContent(
    scope: OrgScope,
    { botId, contentSha256, encoding }: Pick<Document, 'botId' | 'contentSha256' | 'encoding'>,
  ): Promise<Document | null> {
    await lockName(scope.db, `document content ${botId} ${contentSha256}`);
    const query = this.query(scope)
      .andWhere('row.bot_id = :botId AND row.content_sha256 = :contentSha256', { botId, contentSha256 })
      .andWhere("row.status <> 'failed'")
      .orderBy('row.id')
      .limit(1);
    if (encoding !== null) query.andWhere('row.encoding = :encoding', { encoding });
    return query.setLock('pessimistic_write').getOne();
  }

  /** Returns the progress of a document; null if the document does not exist or its bot is deleted. */
  findProgress(scope: OrgScope, botId: string, id: string): Promise<DocumentProgress | null> {
    return this.query(scope)
      .select([
        'row.id',
        'row.status',
        'row.chunkCount',
        'row.errorMessage',
        'row.notice',
        'row.sourceType',
        'row.revision',
        'row.crawl',
        'row.crawlProgress',
      ])
      .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
      .andWhere('row.id = :id AND row.botId = :botId', { id, botId })
      .getOne();
  }

  /** Locks the page documents of a site until the transaction ends. */
  async lockChildren(scope: OrgScope, parentId: string): Promise<Document[]> {
    return this.query(scope)
      .andWhere('row.parent_id = :parentId', { parentId })
      .orderBy('row.id')
      .setLock('pessimistic_write')
      .getMany();
  }

  /** Lists the ids of a bot's documents that have a refresh schedule, sorted by id. */
  async listRefreshed(
    { db, orgId }: OrgScope,
    botId: string,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<string[]> {
    const rows = await db.repository(Document).find({
      select: { id: true },
      where: { orgId, botId, refresh: Not('none'), ...(after !== null && { id: MoreThan(after) }) },
      order: { id: 'ASC' },
      take: limit,
    });
    return rows.map(({ id }) => id);
  }

  /** Lists documents of all workspaces that have a refresh schedule. Skips documents of deleted bots. */
  async listAllRefreshed(
    db: Database,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<Pick<Document, 'id' | 'orgId' | 'botId'>[]> {
    const rows = db
      .repository(Document)
      .createQueryBuilder('row')
      .select(['row.id', 'row.orgId', 'row.botId'])
      .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
      .where({ refresh: Not('none'), ...(after !== null && { id: MoreThan(after) }) });
    return rows.orderBy('row.id').limit(limit).getMany();
  }

  /**
   * Returns the document's refresh schedule. Null if the document has no schedule, or if the document or its
   * bot is deleted.
   */
  async findRefresh(scope: OrgScope, documentId: string): Promise<Refresh | null> {
    const document = await this.find(scope, documentId);
    if (document === null || document.refresh === 'none') return null;
    const { orgId, botId, refresh: rate } = document;
    const bot = await this.findBotState(scope, botId);
    return bot && { orgId, botId, documentId, rate, isPaused: bot.status !== 'active' };
  }

  /** Returns the status of a document's bot; null if the bot is deleted. */
  async findBotState(
    { db, orgId }: OrgScope,
    botId: string,
  ): Promise<{ status: BotStatus; isOrgActive: boolean } | null> {
    const bot = await db.repository(Bot).findOne({
      select: { id: true, status: true },
      where: { id: botId, orgId, deletedAt: IsNull() },
    });
    if (bot === null) return null;
    const isOrgActive = await db.repository(Org).existsBy({ id: orgId, isActive: true, deletedAt: IsNull() });
    return { status: bot.status, isOrgActive };
  }

  async deleteAll({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    await db.repository(Document).delete({ id: In(ids), orgId });
  }
}

function requireBotDocument(document: Document, botId: string): Document {
  if (document.botId !== botId) throw notFound('document');
  return document;
}
