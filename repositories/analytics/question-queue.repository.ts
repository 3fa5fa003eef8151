import { In, MoreThan } from 'typeorm';
import { decryptAvailableRows } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { QueuedQuestion } from '../../entities/analytics/queued-question.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { LIST_ASKED, type AskedMessage } from './question.sql.ts';

export interface AskedMessages {
  messages: Opened<AskedMessage>[];
  unavailableIds: string[];
}

/** Reads the queue of visitors' messages that are not in a cluster yet. */
export class QuestionQueueRepository {
  /**
   * Lists the ids of queued messages, oldest first.
   * @param after last id of the previous page; null for the first page
   */
  async listIds(db: Database, after: string | null, limit: number): Promise<string[]> {
    const queued = await db.repository(QueuedQuestion).find({
      ...(after !== null && { where: { messageId: MoreThan(after) } }),
      order: { messageId: 'ASC' },
      take: limit,
    });
    return queued.map(({ messageId }) => messageId);
  }

  /**
   * Locks visitors' messages against deletion until the transaction ends. `busy` contains the ids of messages
   * that another transaction is deleting.
   */
  async lock(db: Database, ids: string[]): Promise<{ lockedIds: string[]; busy: string[] }> {
    const messages = db.repository(Message);
    const locked = await messages
      .createQueryBuilder('message')
      .select('message.id')
      .where({ id: In(ids) })
      .setLock('for_key_share')
      .setOnLocked('skip_locked')
      .getMany();
    const lockedIds = new Set(locked.map(({ id }) => id));
    const existing = await messages.find({ where: { id: In(ids) }, select: { id: true } });
    const busy = existing.map(({ id }) => id).filter((id) => !lockedIds.has(id));
    return { lockedIds: [...lockedIds], busy };
  }

  /**
   * Returns queued messages of existing bots, oldest first. Messages whose key is unavailable are returned by
   * id only.
   */
  async listAsked(db: Database, ids: string[]): Promise<AskedMessages> {
    const storedMessages = await db.run(LIST_ASKED, [ids]);
    const opened = await decryptAvailableRows(db, Message, storedMessages);
    const messages = opened.filter((message) => message !== null);
    const unavailable = storedMessages.filter((_, index) => opened[index] === null);
    return { messages, unavailableIds: unavailable.map(({ id }) => id) };
  }

  async delete(db: Database, ids: string[]): Promise<void> {
    await db.repository(QueuedQuestion).delete({ messageId: In(ids) });
  }
}
