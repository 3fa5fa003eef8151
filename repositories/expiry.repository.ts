import type { Database } from '../entities/database.ts';

/** Rows that one statement removes at most, so that none holds its locks for long. */
const BATCH = 5000;

const EXPIRED = {
  idempotencyKeys: `
    DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM idempotency_keys WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  rateWindows: `
    DELETE FROM rate_windows WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM rate_windows WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  // A visitor's turn that an Idempotency-Key named stays; only the name is forgotten.
  namesOfTurns: `
    UPDATE messages SET client_id = NULL WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM messages WHERE client_id LIKE 'idempotency-key:%' AND created_at <= now() - interval '24 hours'
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
};

export type ExpiredCounts = Record<keyof typeof EXPIRED, number>;

export class ExpiryRepository {
  /** Removes one batch of each kind; answers how many went, and whether there may be more. */
  async removeBatch(database: Database): Promise<{ removed: ExpiredCounts; isMore: boolean }> {
    const counts = await Promise.all(
      Object.entries(EXPIRED).map(async ([kind, statement]) => {
        const rows = await database.sql(`${statement} RETURNING 1`);
        return [kind, rows.length] as const;
      }),
    );
    return {
      removed: Object.fromEntries(counts) as ExpiredCounts,
      isMore: counts.some(([, count]) => count === BATCH),
    };
  }
}
