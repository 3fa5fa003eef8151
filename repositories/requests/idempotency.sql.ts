import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';

/**
 * A write request, identified by its sender and idempotency key. The fingerprint detects a different request
 * with the same key.
 */
export interface IdempotentRequest {
  principal: string;
  key: string;
  fingerprint: string;
}

export interface StoredResponse extends Pick<
  IdempotencyKey,
  'fingerprint' | 'status' | 'sealedBody' | 'orgId' | 'id' | 'keyId'
> {
  /** True if the request has committed, but its final response is not stored yet. */
  isRunning: boolean;
}

const k = aliasTable(IdempotencyKey, 'k');

/**
 * Returns an SQL condition for stored responses whose principal has a prefix. The condition is a range, so
 * that PostgreSQL uses the index of keys.
 */
export const principalBeginsWith = (prefix: string) =>
  `principal >= ${prefix} AND principal < ${prefix} || chr(x'10ffff'::int)`;

/**
 * Maximum seconds that a request waits for a running request with the same idempotency key. A request without
 * a final response after this time was interrupted.
 */
export const MAX_WAIT_SECONDS = 180;

const IS_RECENT = `${k('createdAt')} > now() - interval '${MAX_WAIT_SECONDS} seconds'`;

/**
 * Claims an idempotency key. Parameters: $1 principal, $2 key, $3 fingerprint, $4 maximum wait in seconds.
 */
export const CLAIM_KEY = defineStatement({
  name: 'claim-idempotency-key',
  because:
    'A database function claims the key, together with the transaction’s first statements (bench create-bot).',
  isPrepared: true,
  text: 'SELECT claim_idempotency_key($1, $2, $3, $4)',
});

/**
 * Finds stored responses to write requests, and requests that are still running. Parameters: $1 principals,
 * $2 keys.
 */
export const FIND_RESPONSES = defineStatement<StoredResponse & Pick<IdempotentRequest, 'principal' | 'key'>>({
  name: 'find-idempotency-keys',
  because: 'Every write needs this statement, which runs in batches (bench create-bot).',
  isPrepared: true,
  text: `
    SELECT ${k.as('principal', 'key', 'fingerprint', 'status', 'sealedBody', 'orgId', 'id', 'keyId')},
           NOT ${k('isFinal')} AND ${IS_RECENT} AS "isRunning"
    FROM unnest($1::text[], $2::text[]) AS requested (principal, key)
    JOIN ${k.from} ON ${k('principal')} = requested.principal AND ${k('key')} = requested.key
    WHERE ${k('expiresAt')} > now() AND (${k('isFinal')} OR ${k('status')} > 0 OR ${IS_RECENT})`,
});

const toAssignments = (...properties: (keyof IdempotencyKey)[]) =>
  properties.map((property) => `${k.bare(property)} = excluded.${k.bare(property)}`).join(', ');

/**
 * Stores the response to a write request with an idempotency key. Parameters: $1 principal; $2 key; $3
 * fingerprint; $4 status; $5 encrypted body; $6 true if the response is final; $7 workspace; $8 id; $9 data
 * key.
 */
export const STORE_RESPONSE = defineStatement({
  name: 'store-idempotent-response',
  because: 'Every write runs this statement with its COMMIT (bench create-bot).',
  isPrepared: true,
  text: `
    INSERT INTO ${k.table} (${k.bare('principal', 'key', 'fingerprint', 'status', 'sealedBody', 'isFinal', 'orgId', 'id', 'keyId', 'expiresAt')})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + interval '24 hours')
    ON CONFLICT (${k.bare('principal', 'key')}) DO UPDATE SET
      ${toAssignments('fingerprint', 'status', 'sealedBody', 'isFinal', 'orgId', 'id', 'keyId', 'createdAt', 'expiresAt')}`,
});

const replaceIfExpired = (property: keyof IdempotencyKey) =>
  `${k.bare(property)} = CASE WHEN ${k('expiresAt')} <= now() THEN excluded.${k.bare(property)} ELSE ${k(property)} END`;

/** Reserves an idempotency key for a request. Parameters: $1 principal, $2 key, $3 fingerprint. */
export const RESERVE_KEY = defineStatement<{ fingerprint: string }>({
  name: 'reserve-idempotency-key',
  because: 'TypeORM has no upsert that replaces the row only if it has expired, but always returns it.',
  acrossWorkspaces: 'A key belongs to its sender, and the row has no content yet.',
  isPrepared: true,
  text: `
    INSERT INTO ${k.table} AS k (${k.bare('principal', 'key', 'fingerprint', 'status', 'sealedBody', 'expiresAt')})
    VALUES ($1, $2, $3, 0, '', now() + interval '24 hours')
    ON CONFLICT (${k.bare('principal', 'key')}) DO UPDATE SET ${replaceIfExpired('fingerprint')}, ${replaceIfExpired('expiresAt')}
    RETURNING ${k.as('fingerprint')}`,
});
