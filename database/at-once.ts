/**
 * Part of a statement that is a transaction of its own, to be named in its FROM: the commit waits for no disk. What the
 * server has committed in the last second before it dies may be lost, and nothing else.
 */
export const AT_ONCE = "at_once AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))";
