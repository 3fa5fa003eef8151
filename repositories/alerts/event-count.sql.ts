import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';

const k = aliasTable(EventCount, 'k');
const group = k.bare('hour', 'orgId', 'botId', 'name');

/**
 * Builds the common table expression with which the outbox relay counts events in the same statement that
 * processes them.
 * @param event name of the event rows, which have "hour", "orgId", "botId" and name
 */
export const buildEventCounts = (event: string): string => `
    counted AS (
      INSERT INTO ${k.table} (${group}, ${k.bare('id', 'count')})
      SELECT hour, "orgId", "botId", name, gen_random_uuid(), count(*) FROM ${event} GROUP BY hour, "orgId", "botId", name
    )`;

/**
 * Merges the counts of the same event and hour into one row. An event that is counted later keeps a separate
 * row.
 */
export const FOLD_EVENT_COUNTS = defineStatement({
  name: 'fold-event-counts',
  because: 'Deletes, sums and inserts in one step, so that no count is lost in between.',
  text: `
    WITH taken AS (
      DELETE FROM ${k.table} WHERE ctid = ANY(ARRAY(
        SELECT unnest(array_agg(ctid)) FROM ${k.table}
        WHERE ${k.bare('hour')} >= now() - interval '8 hours' AND ${k.bare('hour')} <= now() - interval '1 hour'
        GROUP BY ${group} HAVING count(*) > 1))
      RETURNING ${group}, ${k.bare('count')}
    )
    INSERT INTO ${k.table} (${group}, ${k.bare('id', 'count')})
    SELECT ${group}, gen_random_uuid(), sum(${k.bare('count')}) FROM taken GROUP BY ${group}`,
});
