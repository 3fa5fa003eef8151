import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { updateReturning } from '../../database/returning.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation, type ConversationStatus } from '../../entities/conversations/conversation.entity.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';

/** Definition of idle conversations: their kind, and the number of seconds without activity. */
export interface Idleness {
  /**
   * Kind of conversations. `active`: the bot answers; `handoff`: an agent answers, or the visitor waits for
   * an agent.
   */
  kind: 'active' | 'handoff';
  seconds: number;
}

const STATUSES: Record<Idleness['kind'], ConversationStatus[]> = {
  active: ['active'],
  handoff: ['waiting_human', 'human'],
};

const IDLE_SINCE = 'now() - make_interval(secs => :seconds)';

/**
 * Earliest start of a flow's wait that keeps a conversation from ending. A flow's question waits
 * for at most one day, so older waits no longer count.
 */
const FLOW_WAIT_START = "now() - interval '25 hours'";

/** Ends idle conversations of all workspaces. */
export class IdleConversationRepository {
  /**
   * Ends conversations that had no activity for the given time. Messages, reopening and assignment count as
   * activity. Skips conversations whose flow waits for the visitor, and rows that another transaction has
   * locked.
   */
  end(database: Database, { kind, seconds }: Idleness, limit: number): Promise<Conversation[]> {
    return database.transaction(async (db) => {
      const statuses = STATUSES[kind].map((status) => `'${status}'`).join(', ');
      const waits = db
        .repository(FlowSession)
        .createQueryBuilder('session')
        .select('1')
        .where(
          `session.conversationId = row.id AND session.waitId IS NOT NULL AND session.updatedAt > ${FLOW_WAIT_START}`,
        );
      const idle = await db
        .repository(Conversation)
        .createQueryBuilder('row')
        .select('row.id')
        .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
        // Use literals, because PostgreSQL does not match query parameters to the conditions of partial
        // indexes.
        .where(`row.status IN (${statuses})`)
        .andWhere(`row.createdAt < ${IDLE_SINCE}`)
        .andWhere(`NOT (row.isInFlow AND EXISTS (${waits.getQuery()}))`)
        .andWhere(`greatest(row.lastMessageAt, row.reopenedAt, row.assignedAt) < ${IDLE_SINCE}`, { seconds })
        .orderBy('row.createdAt')
        .limit(limit)
        .setLock('pessimistic_write', undefined, ['row'])
        .setOnLocked('skip_locked')
        .getMany();
      const ended = { status: 'ended', endedAt: () => 'now()' } as const;
      return updateReturning(db.repository(Conversation), { id: In(idle.map(({ id }) => id)) }, ended);
    });
  }
}
