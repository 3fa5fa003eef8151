/**
 * SQL that selects and locks due rows of the outbox. Workspaces share a batch equally, so that none waits behind the
 * backlog of another, and each gets its oldest rows. `$1` is the kind, `$2` how many rows there are at most. Each row has
 * the `room` of its workspace, which has more when that is full.
 * @param most how many there are at most of one workspace, `org.id`, that has the batch for itself
 */
export function dueInTurns(most = '$2'): string {
  return `
    WITH RECURSIVE org(id) AS (
      (SELECT org_id FROM outbox WHERE kind = $1 ORDER BY org_id LIMIT 1)
      UNION ALL
      SELECT (SELECT o.org_id FROM outbox o WHERE o.kind = $1 AND o.org_id > org.id ORDER BY o.org_id LIMIT 1)
      FROM org WHERE org.id IS NOT NULL
    ), turn AS MATERIALIZED (
      SELECT org.id, greatest(1, least($2::int, ${most}) / count(*) OVER ()) AS room
      FROM org
      CROSS JOIN LATERAL (
        SELECT due_at FROM outbox WHERE kind = $1 AND org_id = org.id AND due_at <= now() ORDER BY due_at LIMIT 1
      ) oldest
      ORDER BY oldest.due_at
    )
    SELECT due.*, turn.room FROM turn
    CROSS JOIN LATERAL (
      SELECT * FROM outbox WHERE kind = $1 AND org_id = turn.id AND due_at <= now()
      ORDER BY due_at, id LIMIT turn.room FOR UPDATE SKIP LOCKED
    ) due
    LIMIT $2`;
}
