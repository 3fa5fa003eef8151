/**
 * Common table expression that makes a statement's commit asynchronous; the statement must name it in FROM.
 * Use it only in a statement outside of a transaction. A crash of the server may lose the commits of its last
 * second.
 */
export const ASYNC_COMMIT =
  "async_commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))";
