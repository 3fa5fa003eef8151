import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { updateReturning } from '../../database/returning.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Conversation, type ConversationStatus } from '../../entities/conversations/conversation.entity.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';

/** Which conversations are idle after how long. */
export interface Idleness {
  /** `active`: the bot has it; `handoff`: it waits for a person, or has one. */
  of: 'active' | 'handoff';
  seconds: number;
}

const STATUSES: Record<Idleness['of'], ConversationStatus[]> = {
  active: ['active'],
  handoff: ['waiting_human', 'human'],
};

const SINCE = 'now() - make_interval(secs => :seconds)';

/** A question of a flow waits for a day at most. */
const WAITING = "now() - interval '25 hours'";

/** Conversations of all workspaces that nobody writes in any more. */
export class IdleConversationRepository {
  /**
   * Ends those in which nothing has been said for so long, be it since the team gave them another chance or somebody
   * took them; but not those whose flow gives the visitor more time. One that is being ended, or written in, at this moment is passed by.
   */
  end(database: Database, { of, seconds }: Idleness, limit: number): Promise<Conversation[]> {
    return database.transaction(async (db) => {
      const statuses = STATUSES[of].map((status) => `'${status}'`).join(', ');
      const waits = db
        .repository(FlowSession)
        .createQueryBuilder('session')
        .select('1')
        .where(
          `session.conversationId = row.id AND session.waitId IS NOT NULL AND session.updatedAt > ${WAITING}`,
        );
      const idle = await db
        .repository(Conversation)
        .createQueryBuilder('row')
        .select('row.id')
        .innerJoin(Bot, 'bot', 'bot.id = row.botId AND bot.deletedAt IS NULL')
        // The words of the indexes, which parameters would hide.
        .where(`row.status IN (${statuses})`)
        .andWhere(`row.createdAt < ${SINCE}`)
        .andWhere(`NOT (row.isInFlow AND EXISTS (${waits.getQuery()}))`)
        .andWhere(`greatest(row.lastMessageAt, row.reopenedAt, row.assignedAt) < ${SINCE}`, { seconds })
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
