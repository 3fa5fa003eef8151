import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';

const b = aliasTable(Bot, 'b');

/**
 * Returns SQL that queues for a bot until the transaction ends.
 * @param id SQL for the bot's id, a `uuid`
 */
export function buildBotQueueLock(id: string): string {
  return `pg_advisory_xact_lock(hashtextextended('bot ' || ${id}, 0))`;
}

/**
 * Returns the CTE `bot`: the bots, locked in the order of their ids, for a statement that changes their counters.
 * Such statements queue for advisory locks first, since queues for the rows could deadlock. While a foreign key of an
 * open transaction locks the row version that a statement began with, PostgreSQL locks that version again before the
 * update. That second lock waits behind transactions that wait for the current version.
 * @param columns columns of the table `bots b`
 * @param ids query for the column `bot_id`
 * @param condition SQL condition on the bots
 */
export function buildLockedBots(columns: string, ids: string, condition = 'true'): string {
  return `turn AS MATERIALIZED (
    SELECT bot_id, ${buildBotQueueLock('bot_id')}
    FROM (SELECT DISTINCT bot_id FROM (${ids}) named ORDER BY bot_id) sorted
  ), bot AS MATERIALIZED (
    SELECT ${columns} FROM ${b.from}
    WHERE ${b('id')} IN (SELECT bot_id FROM turn) AND ${condition} ORDER BY ${b('id')} FOR NO KEY UPDATE
  )`;
}
