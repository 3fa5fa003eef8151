/**
 * Part of a statement that is a transaction of its own, to be named in its FROM: the commit does not wait for the disk.
 * What the server has committed in the last second before it dies may be lost, and nothing else.
 */
export const WITHOUT_DISK =
  "without_disk AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))";
