import { tableOf } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';

const b = tableOf(Bot, 'b');

/** Waits until nobody else changes the bot, and keeps others waiting until the transaction ends. @param id a `uuid` */
export function turnOf(id: string): string {
  return `pg_advisory_xact_lock(hashtextextended('bot ' || ${id}, 0))`;
}

/**
 * The CTE `bot`: these bots, locked in the order of their ids, for a statement that changes what they have counted.
 *
 * Such statements queue for advisory locks first. Were they to queue for the rows, they could deadlock: while a foreign key
 * of an open transaction holds on to the version of a row that a statement began with, PostgreSQL locks that version once
 * more at the change, behind whoever waits there for the present one.
 * @param columns of the table `bots b`
 * @param ids a query for the column `bot_id`
 * @param condition that they fulfil
 */
export function lockedBots(columns: string, ids: string, condition = 'true'): string {
  return `turn AS MATERIALIZED (
    SELECT bot_id, ${turnOf('bot_id')}
    FROM (SELECT DISTINCT bot_id FROM (${ids}) named ORDER BY bot_id) sorted
  ), bot AS MATERIALIZED (
    SELECT ${columns} FROM ${b.from}
    WHERE ${b('id')} IN (SELECT bot_id FROM turn) AND ${condition} ORDER BY ${b('id')} FOR NO KEY UPDATE
  )`;
}
