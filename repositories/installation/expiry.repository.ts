import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import { FOLD_CHANGES } from '../conversations/inbox-count.repository.ts';

/** Rows that one statement removes at most, so that none holds its locks for long. */
const BATCH = 5000;

/** @param key of its rows, or where they are */
const expired = (table: string, key = 'ctid') => `
    DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
      SELECT ${key} FROM ${table} WHERE expires_at <= now() LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

/** Ids are in the order of their creation: this is the smallest UUIDv7 of the time so many days ago. */
const idOf = (days: string) =>
  `(lpad(to_hex(floor(extract(epoch FROM now() - make_interval(days => ${days})) * 1000)::bigint), 12, '0')
    || repeat('0', 20))::uuid`;

const EXPIRED = {
  idempotencyKeys: expired('idempotency_keys'),
  rateWindows: expired('rate_windows'),
  answeredChallenges: expired('answered_challenges', 'id'),
  identityAttempts: expired('identity_attempts', 'verifier_digest'),
  sessions: expired('sessions', 'id'),
  knownAddresses: expired('known_addresses'),
  accountLinks: expired('account_links', 'digest'),
  signInCodes: expired('sign_in_codes', 'email'),
  // A visitor's turn that an Idempotency-Key named stays; only the name is forgotten.
  namesOfTurns: `
    UPDATE messages SET client_id = NULL WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM messages WHERE client_id LIKE 'idempotency-key:%' AND created_at <= now() - interval '24 hours'
      LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`,
  inboxChanges: FOLD_CHANGES,
};

const EXPIRED_DELIVERIES = `
    DELETE FROM webhook_deliveries WHERE id = ANY(ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE id < ${idOf('$1')}
        AND status IN ('delivered', 'failed')
      ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;

/** A mail is retried for two days at most; what is left of one says only how it went, or what would have been sent. */
const EXPIRED_MAILS = `
    DELETE FROM mails WHERE id = ANY(ARRAY(
      SELECT id FROM mails WHERE id < ${idOf('$1')}
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
  readonly #settings: Pick<Settings, 'webhookLogDays' | 'mailLogDays'>;

  constructor(settings: Pick<Settings, 'webhookLogDays' | 'mailLogDays'>) {
    this.#settings = settings;
  }

  /** Removes one batch of each kind; returns how many went, and whether there may be more. */
  async removeBatch(database: Database): Promise<{ removed: ExpiredCounts; isMore: boolean }> {
    const remove = async (kind: string, statement: string, values: unknown[] = []) => {
      const rows = await database.sql(`${statement} RETURNING 1`, values);
      return [kind, rows.length] as const;
    };
    const { webhookLogDays, mailLogDays } = this.#settings;
    const counts = await Promise.all([
      ...Object.entries(EXPIRED).map(([kind, statement]) => remove(kind, statement)),
      remove('deliveries', EXPIRED_DELIVERIES, [webhookLogDays]),
      remove('mails', EXPIRED_MAILS, [mailLogDays]),
      remove('deletedConversations', EXPIRED_CONVERSATIONS, [webhookLogDays]),
    ]);
    return {
      removed: Object.fromEntries(counts) as ExpiredCounts,
      isMore: counts.some(([, count]) => count === BATCH),
    };
  }
}
