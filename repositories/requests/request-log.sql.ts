import { ASYNC_COMMIT } from '../../database/async-commit.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

const r = aliasTable(LoggedRequest, 'r');
const o = aliasTable(Org, 'o');

/** Columns of a logged request with their types in PostgreSQL. */
const TYPES = {
  id: 'uuid',
  orgId: 'uuid',
  apiKeyId: 'uuid',
  userId: 'uuid',
  operation: 'text',
  method: 'text',
  path: 'text',
  status: 'int',
  errorCode: 'text',
  durationMs: 'int',
  createdAt: 'timestamptz',
} as const satisfies Record<keyof LoggedRequest, string>;
export const LOGGED_COLUMNS = Object.keys(TYPES) as (keyof LoggedRequest)[];

const ARRAYS = LOGGED_COLUMNS.map((key, index) => `$${index + 1}::${TYPES[key]}[]`).join(', ');

/** Parameters: an array for each column, in the order of `LOGGED_COLUMNS`. Ignores deleted workspaces. */
export const INSERT_LOGGED_REQUESTS = defineStatement({
  name: 'insert-logged-requests',
  because: 'Stores the requests of a second at once, with asynchronous commit (bench get-bot).',
  acrossWorkspaces: 'Each row has the workspace of its caller.',
  isPrepared: true,
  text: `
    WITH ${ASYNC_COMMIT}
    INSERT INTO ${r.table} (${r.bare(...LOGGED_COLUMNS)})
    SELECT given.* FROM async_commit, unnest(${ARRAYS}) AS given (${r.bare(...LOGGED_COLUMNS)})
    JOIN ${o.from} ON ${o('id')} = given.org_id
    ON CONFLICT DO NOTHING`,
});
