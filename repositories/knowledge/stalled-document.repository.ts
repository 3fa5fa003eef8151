import type { Database } from '../../database/database.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';

export type StalledDocument = Pick<Document, 'id' | 'orgId' | 'botId' | 'revision' | 'sourceType'>;

const HAS_STALLED = `status IN ('pending', 'processing') AND updated_at < now() - make_interval(secs => :unchangedSeconds)`;

/** Finds documents of all workspaces whose indexing has not progressed for some time, and restarts it. */
export class StalledDocumentRepository {
  /**
   * Lists documents whose indexing has stalled, by id. Skips documents that a pending command or the crawl of
   * their site will still process.
   */
  list(
    db: Database,
    { after, unchangedSeconds, limit }: { after: string | null; unchangedSeconds: number; limit: number },
  ): Promise<StalledDocument[]> {
    const documents = db.repository(Document).createQueryBuilder('row');
    const crawls = documents
      .subQuery()
      .select('1')
      .from(Document, 'site')
      .where("site.id = row.parentId AND site.status IN ('pending', 'processing')");
    const commands = documents
      .subQuery()
      .select('1')
      .from(OutboxRow, 'command')
      .where("command.kind = 'command' AND command.payload #>> '{args,0,documentId}' = row.id::text");
    if (after !== null) documents.andWhere('row.id > :after', { after });
    return documents
      .select(['row.id', 'row.orgId', 'row.botId', 'row.revision', 'row.sourceType'])
      .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
      .andWhere("row.status IN ('pending', 'processing')")
      .andWhere('row.updatedAt < now() - make_interval(secs => :unchangedSeconds)', { unchangedSeconds })
      .andWhere(`NOT EXISTS ${crawls.getQuery()}`)
      .andWhere(`NOT EXISTS ${commands.getQuery()}`)
      .orderBy('row.id')
      .limit(limit)
      .getMany();
  }

  /** Starts the next revision of a document, unless the document has changed since it was listed. */
  async renew(
    db: Database,
    document: StalledDocument,
    unchangedSeconds: number,
  ): Promise<StalledDocument | null> {
    const { id, orgId, revision } = document;
    const { affected } = await db
      .repository(Document)
      .createQueryBuilder()
      .update()
      .set({ revision: revision + 1, status: 'pending', updatedAt: () => 'now()' })
      .where({ id, orgId, revision })
      .andWhere(HAS_STALLED, { unchangedSeconds })
      .andWhere('EXISTS (SELECT FROM bots WHERE bots.id = bot_id AND bots.deleted_at IS NULL)')
      .execute();
    return affected === 1 ? { ...document, revision: revision + 1 } : null;
  }
}
