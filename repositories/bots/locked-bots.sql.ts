import { aliasTable } from '../../database/table.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';

const b = aliasTable(Bot, 'b');

/**
 * Returns SQL that acquires the advisory lock of a bot until the transaction ends.
 * @param id SQL for the bot's id, a `uuid`
 */
export function buildBotQueueLock(id: string): string {
  return `pg_advisory_xact_lock(hashtextextended('bot ' || ${id}, 0))`;
}

/**
 * Returns the common table expression `bot`, which locks bots in the order of their ids, for a statement that
 * changes their counters. The statement first acquires advisory locks, because waiting for the row locks
 * could deadlock. PostgreSQL may lock an older version of the row again before the update, if a foreign key
 * of an open transaction references it. That lock would wait for transactions that wait for the current
 * version.
 * @param columns columns of the table `bots b`
 * @param ids query that returns a column `bot_id`
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
