import { In, IsNull, Not } from 'typeorm';
import { deleteInBatches } from '../../database/delete-in-batches.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { BOT_DELETION_TARGETS, MOVE_SHARED_CONTACTS, MOVE_CONTACT_CONSENTS } from './purge.sql.ts';

const MAX_CANCELLED = 500;

/** Deletes the rows of deleted bots. */
export class PurgeRepository {
  /** Lists at most 500 documents of the bot that are still being indexed. */
  async listRunningIngestions(
    { db, orgId }: OrgScope,
    botId: string,
  ): Promise<{ documentId: string; revision: number }[]> {
    const running = await db.repository(Document).find({
      where: { orgId, botId, status: In(['pending', 'processing']) },
      select: { id: true, revision: true },
      take: MAX_CANCELLED,
    });
    return running.map(({ id: documentId, revision }) => ({ documentId, revision }));
  }

  /**
   * Deletes the bot's documents, conversations, contacts and search index in batches. Contacts that other bots
   * share stay, with these bots.
   * @throws the signal's reason if the signal is aborted
   */
  async deleteContents({ db, orgId }: OrgScope, botId: string, signal: AbortSignal): Promise<void> {
    await db.run(MOVE_SHARED_CONTACTS, [orgId, botId]);
    await db.run(MOVE_CONTACT_CONSENTS, [orgId, botId]);
    for (const target of BOT_DELETION_TARGETS) await deleteInBatches(db, target, [orgId, botId], signal);
  }

  async deleteBot({ db, orgId }: OrgScope, botId: string): Promise<void> {
    await db.repository(Bot).delete({ id: botId, orgId, deletedAt: Not(IsNull()) });
  }
}
