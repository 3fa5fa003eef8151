import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import {
  OUTBOX_CHANNEL,
  OutboxRow,
  notifyRelaysSql,
  UNHURRIED,
} from '../../entities/outbox/outbox.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { Webhook } from '../../entities/webhooks/webhook.entity.ts';

/** An outbox command as a relay claims it. Commands are never encrypted. */
export type ClaimedCommand = Pick<
  Opened<OutboxRow>,
  'id' | 'orgId' | 'name' | 'payload' | 'attempts' | 'traceparent'
>;

const o = aliasTable(OutboxRow, 'o');
const w = aliasTable(Webhook, 'w');
const g = aliasTable(Org, 'g');

/**
 * SQL for the due time of a new outbox event. The time is truncated, because a rounded time could be later
 * than now, and a relay that reads at once would miss the row.
 */
const DUE_NOW = "date_trunc('milliseconds', now())";

const WITH_WRITTEN = `
  WITH written AS (
    INSERT INTO ${o.table} (${o.bare('kind', 'dueAt', 'id', 'orgId', 'botId', 'name', 'payload', 'traceparent', 'keyId')})
    SELECT 'event', ${DUE_NOW}, event.*
    FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::jsonb[], $6::text[], $7::uuid[])
      AS event (id, org_id, bot_id, name, payload, traceparent, key_id)
    RETURNING *
  )`;

/**
 * Inserts events into the outbox. Parameters, each a list: $1 ids, $2 workspaces, $3 bots, $4 names, $5 data
 * as JSON, $6 trace contexts, $7 data keys.
 */
export const INSERT_EVENTS = defineStatement({
  name: 'insert-events',
  because: 'A single row is sent in its notification, as PostgreSQL has stored it.',
  isPrepared: true,
  text: `${WITH_WRITTEN} ${notifyRelaysSql('written')}`,
});

/** Inserts events that are delivered in batches into the outbox, like `INSERT_EVENTS`. */
export const INSERT_BATCHED_EVENTS = defineStatement({
  name: 'insert-unhurried-events',
  because: 'Inserts the events of concurrent turns and notifies relays in one statement (bench streams).',
  isPrepared: true,
  text: `${WITH_WRITTEN} SELECT pg_notify('${OUTBOX_CHANNEL}', '${UNHURRIED}')`,
});

/** Inserts commands into the outbox. Parameters: $1 JSON list of `OutboxEntry`s. */
export const INSERT_COMMANDS = defineStatement({
  name: 'insert-commands',
  because:
    'Inserts any number of rows and wakes the relays, in the round trip of COMMIT (bench webhooks/failing).',
  isPrepared: true,
  text: `
    WITH written AS (
      INSERT INTO ${o.table} (${o.bare('id', 'orgId', 'name', 'payload', 'traceparent', 'kind', 'dueAt')})
      SELECT c.id, c."orgId", c.name, c.payload, c.traceparent, 'command', ${DUE_NOW}
      FROM json_to_recordset($1::json) AS c(id uuid, "orgId" uuid, name text, payload jsonb, traceparent text)
      RETURNING ${o.bare('id')}
    ) SELECT pg_notify('${OUTBOX_CHANNEL}', 'command') FROM (SELECT FROM written LIMIT 1) AS any_command`,
});

/**
 * Selects and locks due outbox rows. Payers share a batch equally, so that no backlog delays other payers.
 * The workspaces of a payer divide its share, and each gets its oldest rows. Each row has the share of its
 * workspace as `rowLimit`; a workspace that fills this share may have more rows. If a payer has more
 * workspaces than its share has rows, the workspaces with the oldest rows come first. Ids order rows that
 * became due in the same millisecond. Parameters: `$1` kind, `$2` maximum number of rows.
 * @param rowLimit SQL for the share of a payer, grouped by payer; `count(*) OVER ()` is the number of payers
 * @param condition SQL condition on workspaces, which are `org`
 */
const buildDueRows = (rowLimit: string, condition = 'true') => `
    WITH RECURSIVE org(id) AS (
      (SELECT ${o('orgId')} FROM ${o.from} WHERE ${o('kind')} = $1 ORDER BY ${o('orgId')} LIMIT 1)
      UNION ALL
      SELECT (SELECT ${o('orgId')} FROM ${o.from} WHERE ${o('kind')} = $1 AND ${o('orgId')} > org.id
              ORDER BY ${o('orgId')} LIMIT 1)
      FROM org WHERE org.id IS NOT NULL
    ), due_org AS MATERIALIZED (
      SELECT org.id, coalesce(${g('payerId')}, org.id) AS payer, oldest.*
      FROM org
      LEFT JOIN ${g.from} ON ${g('id')} = org.id
      CROSS JOIN LATERAL (
        SELECT ${o('dueAt')} AS oldest, ${o('id')} AS oldest_id FROM ${o.from}
        WHERE ${o('kind')} = $1 AND ${o('orgId')} = org.id AND ${o('dueAt')} <= now()
        ORDER BY ${o('dueAt')}, ${o('id')} LIMIT 1
      ) oldest
      WHERE ${condition}
    ), share AS MATERIALIZED (
      SELECT payer, count(*) AS orgs, greatest(1, ${rowLimit}) AS row_limit FROM due_org org GROUP BY payer
    ), turn AS MATERIALIZED (
      SELECT id, oldest, oldest_id, greatest(1, share.row_limit / share.orgs) AS row_limit, share.row_limit AS payer_limit,
        row_number() OVER (PARTITION BY payer ORDER BY oldest, oldest_id) AS rank
      FROM due_org JOIN share USING (payer)
      ORDER BY oldest, oldest_id
    )
    SELECT due.*, turn.row_limit AS "rowLimit" FROM turn
    CROSS JOIN LATERAL (
      SELECT * FROM ${o.from} WHERE ${o('kind')} = $1 AND ${o('orgId')} = turn.id AND ${o('dueAt')} <= now()
      ORDER BY ${o('dueAt')}, ${o('id')} LIMIT turn.row_limit FOR UPDATE SKIP LOCKED
    ) due
    WHERE turn.rank <= turn.payer_limit
    LIMIT $2`;

/**
 * Locks due outbox events. A payer with many webhook endpoints in one workspace gets fewer events, because
 * each event causes several deliveries. Parameters: $1 `event`, $2 limit, $3 maximum number of deliveries, $4
 * workspaces to skip.
 */
export const LOCK_DUE_EVENTS = defineStatement<Record<string, unknown> & { rowLimit: number }>({
  name: 'lock-due-events',
  because: 'Walks an index recursively, so that payers share a batch (bench webhooks/throughput).',
  isPrepared: true,
  text: buildDueRows(
    `least($2::int, $3::int / greatest(1, max((SELECT count(*) FROM ${w.from} WHERE ${w('orgId')} = org.id AND ${w('isActive')}))))
       / count(*) OVER ()`,
    'org.id <> ALL($4::uuid[])',
  ),
});

/**
 * Claims due outbox commands. Chooses the rows once, as a list. A join could choose again for each row, and
 * skip rows that the statement itself has locked. Parameters: $1 `command`, $2 limit, $3 lease in seconds, $4
 * maximum for each payer.
 */
export const CLAIM_COMMANDS = defineStatement<ClaimedCommand>({
  name: 'claim-commands',
  because: 'Walks an index recursively, so that payers share a batch.',
  text: `
    UPDATE ${o.from} SET ${o.bare('dueAt')} = now() + make_interval(secs => $3), ${o.bare('attempts')} = ${o('attempts')} + 1
    WHERE ${o('id')} = ANY (ARRAY(SELECT id FROM (${buildDueRows('least($4::int, $2::int / count(*) OVER ())')}) due))
    RETURNING ${o.as('id', 'orgId', 'name', 'payload', 'attempts', 'traceparent')}`,
});
