import { ASYNC_COMMIT } from '../../database/async-commit.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

const r = aliasTable(LoggedRequest, 'r');
const o = aliasTable(Org, 'o');

export const LOGGED_COLUMNS = [
  'id',
  'orgId',
  'apiKeyId',
  'userId',
  'operation',
  'method',
  'path',
  'status',
  'errorCode',
  'errorSubject',
  'durationMs',
  'createdAt',
] as const satisfies (keyof LoggedRequest)[];

/**
 * Inserts requests into the request log. Ignores deleted workspaces. Parameters: an array for each column, in
 * the order of `LOGGED_COLUMNS`.
 */
export const INSERT_LOGGED_REQUESTS = defineStatement({
  name: 'insert-logged-requests',
  because: 'Stores all requests of one second in one statement, with asynchronous commit (bench get-bot).',
  acrossWorkspaces: 'Each row has the workspace of its caller.',
  isPrepared: true,
  text: `
    WITH ${ASYNC_COMMIT}
    INSERT INTO ${r.table} (${r.bare(...LOGGED_COLUMNS)})
    SELECT logged.* FROM async_commit, unnest(${r.arrays(1, ...LOGGED_COLUMNS)}) AS logged (${r.bare(...LOGGED_COLUMNS)})
    JOIN ${o.from} ON ${o('id')} = logged.org_id
    ON CONFLICT DO NOTHING`,
});
