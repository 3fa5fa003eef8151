import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import { AlertDay } from '../../entities/alerts/alert-message.entity.ts';
import { AlertProvider } from '../../entities/alerts/alert-provider.entity.ts';

const t = aliasTable(AlertDestination, 't');
const d = aliasTable(AlertDay, 'd');
const p = aliasTable(AlertProvider, 'p');

/**
 * Counts a message of an alert policy. Parameters: $1 workspace, $2 policy, $3 day, $4 daily cap. Returns the
 * count including this message, or no row if the cap is reached.
 */
export const CLAIM_DAILY_MESSAGE = defineStatement<{ sent: number }>({
  name: 'claim-daily-message',
  because:
    'Counts a message of a day that may have no row yet, up to a limit: ON CONFLICT DO UPDATE with WHERE.',
  text: `
    INSERT INTO ${d.table} AS d (${d.bare('orgId', 'policyId', 'date', 'sent')}) VALUES ($1, $2, $3, 1)
    ON CONFLICT (${d.bare('policyId', 'date')}) DO UPDATE SET ${d.bare('sent')} = ${d('sent')} + 1 WHERE ${d('sent')} < $4
    RETURNING ${d.as('sent')}`,
});

/**
 * Adds to an alert policy's count of alerts that were held on a day. Parameters: $1 workspace, $2 policy, $3
 * day, $4 number of alerts.
 */
export const COUNT_HELD_ALERTS = defineStatement({
  name: 'count-held-alerts',
  because: 'Adds to the counts of a day that may have no row yet: ON CONFLICT DO UPDATE.',
  text: `
    INSERT INTO ${d.table} AS d (${d.bare('orgId', 'policyId', 'date', 'held')}) VALUES ($1, $2, $3, $4)
    ON CONFLICT (${d.bare('policyId', 'date')}) DO UPDATE SET ${d.bare('held')} = ${d('held')} + $4`,
});

/**
 * Builds SQL that reserves the next time for an alert message in a column `next_at`.
 * @param step milliseconds between two messages
 * @param maxWait maximum milliseconds to wait
 */
const buildPacing = (nextAt: string, step: string, maxWait: string) => ({
  after: `greatest(${nextAt}, clock_timestamp()) + ${toMilliseconds(step)}`,
  isNear: `(${nextAt} IS NULL OR ${nextAt} <= clock_timestamp() + ${toMilliseconds(maxWait)})`,
  waitMs: `greatest(0, extract(epoch FROM ${nextAt} - clock_timestamp()) * 1000 - ${step})::float AS "waitMs"`,
});

const toMilliseconds = (count: string): string => `make_interval(secs => ${count}::float / 1000)`;

const providerPacing = buildPacing(p('nextAt'), '$3', '$4');
const chatPacing = buildPacing(t('nextAt'), '$4', '$5');

/**
 * Reserves the next time for a message of an account at a messaging provider. Parameters: $1 channel, $2
 * account, $3 milliseconds between two messages, $4 maximum wait in milliseconds. Returns the wait, or no row
 * if the wait would be longer than the maximum.
 */
export const RESERVE_PROVIDER_SLOT = defineStatement<{ waitMs: number }>({
  name: 'reserve-provider-slot',
  because: 'All workers share one rate: each reserves the next slot by the clock of the database.',
  text: `
    INSERT INTO ${p.table} AS p (${p.bare('channel', 'account', 'nextAt')})
    VALUES ($1, $2, clock_timestamp() + ${toMilliseconds('$3')})
    ON CONFLICT (${p.bare('channel', 'account')}) DO UPDATE
      SET ${p.bare('nextAt')} = ${providerPacing.after}
      WHERE ${providerPacing.isNear}
    RETURNING ${providerPacing.waitMs}`,
});

/**
 * Reserves the next time for a message to a chat. Parameters: $1 workspace, $2 channel, $3 destination, $4
 * milliseconds between two messages, $5 maximum wait in milliseconds. Returns the wait, or no row if the wait
 * would be longer than the maximum.
 */
export const RESERVE_CHAT_SLOT = defineStatement<{ waitMs: number }>({
  name: 'reserve-chat-slot',
  because: 'All workers share the rate of a chat: each reserves its next slot by the clock of the database.',
  text: `
    UPDATE ${t.from} SET ${t.bare('nextAt')} = ${chatPacing.after}
    WHERE ${t('orgId')} = $1 AND ${t('channel')} = $2 AND ${t('destination')} = $3 AND ${chatPacing.isNear}
    RETURNING ${chatPacing.waitMs}`,
});
