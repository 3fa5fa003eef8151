import { aliasTable } from '../../database/table.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { OUTBOX_CHANNEL, OutboxRow } from '../../entities/outbox/outbox.entity.ts';

const p = aliasTable(AlertPolicy, 'p');
const t = aliasTable(AlertDestination, 't');
const a = aliasTable(Alert, 'a');
const o = aliasTable(OutboxRow, 'o');

/** Column definition for the alert that an event causes, in the event rows of the relay's SQL statement. */
export const ALERT_COLUMNS = 'alert json';

/** Alert that an event row causes; null if the event causes no alerts. */
export interface EventAlert {
  ids: Record<string, string>;
  subject: string;
  severity: Alert['severity'];
  /** Values of `intensity` (see docs/alerts.md) at which a policy sends this event immediately. */
  intensities: string[];
  occurredAt: string;
}

/**
 * SQL condition: the policy sends an alert about the event, and the policy's destination is verified and not
 * blocked.
 */
const MATCHES_EVENT = `${p('intensity')} NOT IN ('off', 'digest')
          AND CASE WHEN ${p('events')} IS NULL THEN jsonb_exists((e.alert -> 'intensities')::jsonb, ${p('intensity')})
                   ELSE e.name = ANY(${p('events')}) END
          AND (SELECT true FROM ${t.from} WHERE ${t('orgId')} = ${p('orgId')} AND ${t('channel')} = ${p('channel')}
                 AND ${t('destination')} = ${p('destination')} AND ${t('verifiedAt')} IS NOT NULL AND ${t('blockedAt')} IS NULL LIMIT 1)`;

/**
 * Selects the alert policies that send an alert about an event: those of the event's bot and those of its
 * workspace, each by an index. OFFSET forces the planner to read events first.
 */
const MATCHING_POLICIES = `
        SELECT ${p('id')} FROM ${p.from} WHERE ${p('orgId')} = e."orgId" AND ${p('botId')} = e."botId" AND ${MATCHES_EVENT}
        UNION ALL
        SELECT ${p('id')} FROM ${p.from} WHERE ${p('orgId')} = e."orgId" AND ${p('botId')} IS NULL AND ${MATCHES_EVENT}
        OFFSET 0`;

/**
 * SQL condition: a critical alert was inserted, and its alert policy had no pending critical alert. Its
 * workflow may therefore be waiting to collect other alerts.
 */
const IS_MORE_URGENT = `${p('id')} = ANY(ARRAY(SELECT ${a.bare('policyId')} FROM alerted WHERE ${a.bare('severity')} = 'critical'))
          AND (SELECT true FROM ${a.from} WHERE ${a('policyId')} = ${p('id')} AND ${a('state')} = 'pending'
                 AND ${a('severity')} = 'critical' AND ${a('messageId')} IS NULL LIMIT 1) IS NULL`;

/**
 * Builds common table expressions of the outbox relay's SQL statement. The CTEs insert an alert for each
 * policy that an event concerns, and a command that wakes the policy's workflow. A workflow is woken if it is
 * idle, or if it waits and the new alert is critical. Policies are locked in the order of their ids until the
 * commit, so a workflow about to become idle waits and finds the alert.
 * @param event name of the event rows in the statement
 */
export const buildAlertInserts = (event: string): string => `
    matched AS MATERIALIZED (
      SELECT policy.id AS policy, e.* FROM ${event} e CROSS JOIN LATERAL (${MATCHING_POLICIES}) policy
      WHERE e.alert IS NOT NULL
    ), locked_policy AS MATERIALIZED (
      SELECT ${p('id')}, ${p('orgId')}, ${p('channel')}, ${p('wokenAt')} FROM ${p.from}
      WHERE ${p('id')} = ANY(ARRAY(SELECT policy FROM matched))
      ORDER BY ${p('id')} FOR NO KEY UPDATE
    ), alerted AS (
      INSERT INTO ${a.table} (${a.bare('id', 'orgId', 'policyId', 'eventId', 'botId', 'name', 'ids', 'severity', 'subject', 'occurredAt')})
      SELECT gen_random_uuid(), e."orgId", e.policy, e.id, e."botId", e.name, (e.alert -> 'ids')::jsonb, e.alert ->> 'severity',
             e.alert ->> 'subject', (e.alert ->> 'occurredAt')::timestamptz
      FROM matched e WHERE e.policy = ANY(ARRAY(SELECT id FROM locked_policy))
      ON CONFLICT (${a.bare('policyId', 'eventId')}) DO NOTHING
      RETURNING ${a.bare('policyId', 'severity')}
    ), woken AS (
      UPDATE ${p.from} SET ${p.bare('wokenAt')} = coalesce(${p('wokenAt')}, now()) FROM locked_policy
      WHERE ${p('id')} = locked_policy.id AND ${p('id')} = ANY(ARRAY(SELECT ${a.bare('policyId')} FROM alerted))
        AND (locked_policy.${p.bare('wokenAt')} IS NULL OR ${IS_MORE_URGENT})
      RETURNING ${p.as('id', 'orgId', 'channel')}
    ), commanded AS (
      INSERT INTO ${o.table} (${o.bare('id', 'orgId', 'name', 'payload', 'kind', 'dueAt')})
      SELECT gen_random_uuid(), "orgId", 'sendAlert', jsonb_build_object(
               'action', 'signal', 'workflowId', 'alert/' || id, 'args', jsonb_build_array(jsonb_build_object('orgId', "orgId", 'policyId', id)),
               'summary', CASE channel WHEN 'telegram' THEN 'Send alerts by Telegram' ELSE 'Send alerts by WhatsApp' END,
               'signal', 'wake', 'signalArgs', '[]'::jsonb),
             'command', date_trunc('milliseconds', now())
      FROM woken
      RETURNING pg_notify('${OUTBOX_CHANNEL}', 'command')
    )`;
