import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { deleteBatch } from '../../database/delete-in-batches.ts';
import { isOlderThan } from '../../database/times.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { deleteUnconfirmedAccounts, UNCONFIRMED_BATCH } from '../accounts/unconfirmed-accounts.ts';
import { FOLD_EVENT_COUNTS } from '../alerts/event-count.sql.ts';
import { FOLD_INBOX_DELTAS } from '../conversations/inbox-delta.sql.ts';
import { EXPIRED, EXPIRY_BATCH, type Expiry, type LogDays } from './expiry.sql.ts';

export type ExpiredCounts = Record<keyof typeof EXPIRED | 'namesOfTurns' | 'unconfirmedAccounts', number>;

export class ExpiryRepository {
  readonly #settings: LogDays;

  constructor(settings: LogDays) {
    this.#settings = settings;
  }

  /**
   * Deletes one batch of expired rows of each kind, such as sessions. Returns the number of deleted rows, and
   * whether more may remain.
   */
  async deleteBatch(database: Database): Promise<{ removed: ExpiredCounts; isMore: boolean }> {
    const counts = await Promise.all([
      ...Object.entries<Expiry>(EXPIRED).map(([kind, { days, ...target }]) =>
        countRemoved(kind, deleteBatch(database, target, days === undefined ? [] : [this.#settings[days]])),
      ),
      countRemoved('namesOfTurns', clearTurnIdempotencyKeys(database)),
    ]);
    const unconfirmedAccounts = await deleteUnconfirmedAccounts(database);
    await database.run(FOLD_INBOX_DELTAS);
    await database.run(FOLD_EVENT_COUNTS);
    return {
      removed: { ...Object.fromEntries(counts), unconfirmedAccounts } as ExpiredCounts,
      isMore: counts.some(([, count]) => count === EXPIRY_BATCH) || unconfirmedAccounts === UNCONFIRMED_BATCH,
    };
  }
}

async function countRemoved(kind: string, removed: Promise<number>): Promise<[kind: string, count: number]> {
  return [kind, await removed];
}

/**
 * Clears the Idempotency-Key of visitors' old messages; the messages stay. Returns how many keys were
 * cleared.
 */
function clearTurnIdempotencyKeys(database: Database): Promise<number> {
  return database.transaction(async (db) => {
    const turns = await db
      .repository(Message)
      .createQueryBuilder('turn')
      .select('turn.id')
      // Repeat the condition of the partial index, so that PostgreSQL uses it.
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
