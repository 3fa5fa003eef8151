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
  answeredChallenges: `
    DELETE FROM answered_challenges WHERE id = ANY(ARRAY(
      SELECT id FROM answered_challenges WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  identityAttempts: `
    DELETE FROM identity_attempts WHERE verifier_digest = ANY(ARRAY(
      SELECT verifier_digest FROM identity_attempts WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  sessions: `
    DELETE FROM sessions WHERE id = ANY(ARRAY(
      SELECT id FROM sessions WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  accountLinks: `
    DELETE FROM account_links WHERE digest = ANY(ARRAY(
      SELECT digest FROM account_links WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  signInCodes: `
    DELETE FROM sign_in_codes WHERE email = ANY(ARRAY(
      SELECT email FROM sign_in_codes WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  // A visitor's turn that an Idempotency-Key named stays; only the name is forgotten.
  namesOfTurns: `
    UPDATE messages SET client_id = NULL WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM messages WHERE client_id LIKE 'idempotency-key:%' AND created_at <= now() - interval '24 hours'
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
};

/** Ids are in the order of their creation: this is the smallest UUIDv7 of the time at which the log begins. */
const EXPIRED_DELIVERIES = `
    DELETE FROM webhook_deliveries WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE id < (lpad(to_hex(floor(extract(epoch FROM now() - make_interval(days => $1)) * 1000)::bigint), 12, '0')
                  || repeat('0', 20))::uuid
        AND status IN ('delivered', 'failed')
      ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

/** A mail is retried for two days at most; what is left of one says only how it went, or what would have been sent. */
const MAIL_DAYS = 7;
const EXPIRED_MAILS = `
    DELETE FROM mails WHERE id = ANY(ARRAY(
      SELECT id FROM mails
      WHERE id < (lpad(to_hex(floor(extract(epoch FROM now() - make_interval(days => ${MAIL_DAYS})) * 1000)::bigint), 12, '0')
                  || repeat('0', 20))::uuid
      ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

/** A replay may have kept a copy in the log for as long again. */
const EXPIRED_CONVERSATIONS = `
    DELETE FROM deleted_conversations WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM deleted_conversations WHERE deleted_at < now() - 2 * make_interval(days => $1)
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

export type ExpiredCounts = Record<
  keyof typeof EXPIRED | 'deliveries' | 'deletedConversations' | 'mails',
  number
>;

export class ExpiryRepository {
  readonly #deliveryDays: number;

  /** @param deliveryDays how long the log of deliveries is kept */
  constructor(deliveryDays: number) {
    this.#deliveryDays = deliveryDays;
  }

  /** Removes one batch of each kind; answers how many went, and whether there may be more. */
  async removeBatch(database: Database): Promise<{ removed: ExpiredCounts; isMore: boolean }> {
    const remove = async (kind: string, statement: string, values: unknown[] = []) => {
      const rows = await database.sql(`${statement} RETURNING 1`, values);
      return [kind, rows.length] as const;
    };
    const counts = await Promise.all([
      ...Object.entries(EXPIRED).map(([kind, statement]) => remove(kind, statement)),
      remove('deliveries', EXPIRED_DELIVERIES, [this.#deliveryDays]),
      remove('mails', EXPIRED_MAILS),
      remove('deletedConversations', EXPIRED_CONVERSATIONS, [this.#deliveryDays]),
    ]);
    return {
      removed: Object.fromEntries(counts) as ExpiredCounts,
      isMore: counts.some(([, count]) => count === BATCH),
    };
  }
}
