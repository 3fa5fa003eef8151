import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { InboxDelta } from '../../entities/conversations/inbox-delta.entity.ts';

const d = aliasTable(InboxDelta, 'd');
const group = d.bare('orgId', 'botId', 'assignedToId');

/**
 * Merges all changes of the number of open handoffs with the same bot and member into one row. Concurrent
 * readers see either the changes or the merged row, never both.
 */
export const FOLD_INBOX_DELTAS = defineStatement({
  name: 'fold-inbox-deltas',
  because: 'Deletes, sums and inserts in one step, so that no count is lost in between.',
  text: `
    WITH taken AS (
      DELETE FROM ${d.table} WHERE ctid = ANY(ARRAY(
        SELECT unnest(array_agg(ctid)) FROM ${d.table} GROUP BY ${group} HAVING count(*) > 1))
      RETURNING ${group}, ${d.bare('change')}
    )
    INSERT INTO ${d.table} (${d.bare('id')}, ${group}, ${d.bare('change')})
    SELECT gen_random_uuid(), ${group}, sum(${d.bare('change')}) FROM taken
    GROUP BY ${group} HAVING sum(${d.bare('change')}) <> 0`,
});
