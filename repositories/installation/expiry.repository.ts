import { In } from 'typeorm';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import { deleteBatch } from '../../database/delete-in-batches.ts';
import { isOlderThan } from '../../database/times.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { EXPIRED_EVENT_COUNTS, FOLD_EVENT_COUNTS } from '../alerts/event-count.sql.ts';
import { FOLD_INBOX_DELTAS } from '../conversations/inbox-delta.sql.ts';
import {
  EXPIRED,
  EXPIRED_ALERTS,
  EXPIRED_BILLING_EVENTS,
  EXPIRED_INBOUND,
  EXPIRED_CONVERSATIONS,
  EXPIRED_DELIVERIES,
  EXPIRED_MAILS,
  EXPIRED_TOOL_INVOCATIONS,
  EXPIRY_BATCH,
} from './expiry.sql.ts';

export type ExpiredCounts = Record<
  | keyof typeof EXPIRED
  | 'namesOfTurns'
  | 'deliveries'
  | 'deletedConversations'
  | keyof typeof EXPIRED_ALERTS
  | 'inbound'
  | 'eventCounts'
  | 'billingEvents'
  | 'mails'
  | 'toolInvocations',
  number
>;

export class ExpiryRepository {
  readonly #settings: Pick<Settings, 'webhookLogDays' | 'mailLogDays' | 'alertLogDays' | 'toolLogDays'>;

  constructor(settings: Pick<Settings, 'webhookLogDays' | 'mailLogDays' | 'alertLogDays' | 'toolLogDays'>) {
    this.#settings = settings;
  }

  /** Removes one batch of each kind; returns how many went, and whether there may be more. */
  async deleteBatch(database: Database): Promise<{ removed: ExpiredCounts; isMore: boolean }> {
    const { webhookLogDays, mailLogDays, alertLogDays, toolLogDays } = this.#settings;
    const counts = await Promise.all([
      ...Object.entries(EXPIRED).map(([kind, doomed]) => counted(kind, deleteBatch(database, doomed))),
      counted('namesOfTurns', forgetNamesOfTurns(database)),
      counted('deliveries', deleteBatch(database, EXPIRED_DELIVERIES, [webhookLogDays])),
      ...Object.entries(EXPIRED_ALERTS).map(([kind, doomed]) =>
        counted(kind, deleteBatch(database, doomed, [alertLogDays])),
      ),
      counted('inbound', deleteBatch(database, EXPIRED_INBOUND)),
      counted('eventCounts', deleteBatch(database, EXPIRED_EVENT_COUNTS)),
      counted('billingEvents', deleteBatch(database, EXPIRED_BILLING_EVENTS)),
      counted('mails', deleteBatch(database, EXPIRED_MAILS, [mailLogDays])),
      counted('toolInvocations', deleteBatch(database, EXPIRED_TOOL_INVOCATIONS, [toolLogDays])),
      counted('deletedConversations', deleteBatch(database, EXPIRED_CONVERSATIONS, [webhookLogDays])),
    ]);
    await database.run(FOLD_INBOX_DELTAS);
    await database.run(FOLD_EVENT_COUNTS);
    return {
      removed: Object.fromEntries(counts) as ExpiredCounts,
      isMore: counts.some(([, count]) => count === EXPIRY_BATCH),
    };
  }
}

async function counted(kind: string, removed: Promise<number>): Promise<[kind: string, count: number]> {
  return [kind, await removed];
}

/** A visitor's turn that an Idempotency-Key named stays; only the name is forgotten. Returns how many were. */
function forgetNamesOfTurns(database: Database): Promise<number> {
  return database.transaction(async (db) => {
    const turns = await db
      .repository(Message)
      .createQueryBuilder('turn')
      .select('turn.id')
      // As the index says it.
      .where("turn.clientId LIKE 'idempotency-key:%'")
      .andWhere({ createdAt: isOlderThan("interval '24 hours'") })
      .limit(EXPIRY_BATCH)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
    await db.repository(Message).update({ id: In(turns.map(({ id }) => id)) }, { clientId: null });
    return turns.length;
  });
}
