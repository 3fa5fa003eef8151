import { statement } from '../../database/statement.ts';
import { tableOf } from '../../database/table.ts';
import { OutboxRow, tellOf } from '../../entities/outbox/outbox.entity.ts';

const o = tableOf(OutboxRow, 'o');

/** $1 id, $2 workspace, $3 bot, $4 name, $5 data as JSON, $6 span */
export const WRITE_EVENT = statement({
  name: 'write-event',
  because: 'The row travels with the notification that tells of it, as PostgreSQL has stored it.',
  text: `
    WITH written AS (
      INSERT INTO ${o.table} (${o.bare('id', 'orgId', 'botId', 'name', 'payload', 'traceparent', 'kind', 'dueAt')})
      VALUES ($1, $2, $3, $4, $5, $6, 'event', date_trunc('milliseconds', now()))
      RETURNING *
    ) ${tellOf('written')}`,
});
