import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { ApiKey } from '../../entities/team/api-key.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { principalBeginsWith } from '../requests/idempotency.sql.ts';

/** Last row of a batch of the webhook delivery log. The next batch begins after this row. */
export interface LogPosition {
  id: string;
  createdAt: Date;
}

/**
 * A stored response for a repeated request, which may contain data of a workspace's contacts. The request
 * came from an API key, a member or an anonymous caller.
 */
export type SealedResponse = Pick<
  IdempotencyKey,
  'principal' | 'key' | 'sealedBody' | 'orgId' | 'id' | 'keyId'
>;

const LOG_BATCH = 2000;
const RESPONSE_BATCH = 500;

const d = aliasTable(WebhookDelivery, 'd');
const a = aliasTable(ApiKey, 'a');
const k = aliasTable(IdempotencyKey, 'k');

/**
 * Returns an SQL condition: the JSON of an event contains one of the ids as `contact_id` or
 * `conversation_id`.
 */
export const whereContainsAnyId = (payload: string, ids: string): string =>
  `(${payload}->>'contact_id' = ANY(${ids}::text[]) OR ${payload}->>'conversation_id' = ANY(${ids}::text[]))`;

/**
 * Deletes a batch of webhook deliveries about erased contacts. Parameters: $1 ids of contacts and
 * conversations, $2 workspace id, $3 and $4 time and id of the previous batch's last row.
 */
export const DELETE_DELIVERIES = defineStatement<LogPosition & { isBusy: boolean }>({
  name: 'delete-deliveries',
  because:
    'Reads a batch of the log, deletes its unlocked rows and returns the end of the batch, in one pass.',
  text: `
    WITH batch AS MATERIALIZED (
      SELECT ${d.bare('id', 'createdAt', 'payload')} FROM ${d.from}
      WHERE ${d('orgId')} = $2 AND (${d('createdAt')}, ${d('id')}) > ($3, $4)
      ORDER BY ${d('createdAt')}, ${d('id')} LIMIT ${LOG_BATCH}
    ), matched AS MATERIALIZED (
      SELECT id FROM batch WHERE ${whereContainsAnyId('payload', '$1')}
    ), locked AS MATERIALIZED (
      SELECT ${d('id')} FROM ${d.from} WHERE ${d('id')} IN (SELECT id FROM matched)
      ORDER BY ${d('id')} FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM ${d.from} USING locked WHERE ${d('id')} = locked.id
    )
    SELECT id, ${d.bare('createdAt')} AS "createdAt", (SELECT count(*) FROM matched) > (SELECT count(*) FROM locked) AS "isBusy"
    FROM batch ORDER BY batch.${d.bare('createdAt')} DESC, batch.id DESC LIMIT 1`,
});

/**
 * Lists a batch of stored responses that may contain data of contacts. Parameters: $1 workspace id, $2 and $3
 * principal and key of the previous batch's last row.
 */
export const SEALED_RESPONSES = defineStatement<SealedResponse>({
  name: 'sealed-responses',
  because: 'For each prefix of principals, a lateral join reads a batch in the order of the index.',
  text: `
    SELECT response.principal, response.key, response.${k.bare('sealedBody')} AS "sealedBody",
           response.${k.bare('id')}, response.${k.bare('orgId')} AS "orgId", response.${k.bare('keyId')} AS "keyId"
    FROM (SELECT 'key:' || ${a('id')} FROM ${a.from} WHERE ${a('orgId')} = $1
          UNION ALL VALUES ('user:' || $1 || ':'), ('address:')) AS sender (prefix)
    CROSS JOIN LATERAL (
      SELECT ${k.bare('principal', 'key', 'sealedBody', 'id', 'orgId', 'keyId')} FROM ${k.from}
      WHERE ${principalBeginsWith('sender.prefix')} AND (${k('principal')}, ${k('key')}) > ($2, $3) AND ${k('sealedBody')} <> ''
        AND (${k('orgId')} IS NULL OR ${k('orgId')} = $1)
      ORDER BY ${k('principal')}, ${k('key')} LIMIT ${RESPONSE_BATCH}) response
    ORDER BY response.principal, response.key LIMIT ${RESPONSE_BATCH}`,
});
