/**
 * Common table expression that makes the statement's commit asynchronous; name it in FROM. Use it in a statement that
 * is its own transaction. If the server crashes, only commits of its last second may be lost.
 */
export const ASYNC_COMMIT =
  "async_commit AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))";
