import { statement } from '../../database/statement.ts';

/** $1 tables */
export const LIST_WRITERS = statement<{ id: string }>({
  name: 'list-content-writers',
  because: 'Locks are no rows of a table.',
  acrossWorkspaces: 'A lock of a table says nothing of workspaces.',
  text: `SELECT DISTINCT virtualtransaction AS id FROM pg_locks
    WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND relation = ANY(ARRAY(SELECT to_regclass(name)::oid FROM unnest($1::text[]) AS name))
      AND mode = 'RowExclusiveLock'`,
});

/** $1 ids of transactions */
export const HAVE_ENDED = statement<{ haveEnded: boolean }>({
  name: 'have-transactions-ended',
  because: 'Locks are no rows of a table.',
  text: `SELECT NOT EXISTS (SELECT FROM pg_locks WHERE virtualtransaction = ANY($1::text[])) AS "haveEnded"`,
});
