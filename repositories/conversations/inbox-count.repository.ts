import type { SelectQueryBuilder } from 'typeorm';
import { InboxChange } from '../../entities/conversations/inbox-change.entity.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { ScopedRepository } from '../../database/scoped.repository.ts';

/** Makes one row of all changes of the same bot and member; whoever counts meanwhile sees either these or that one. */
export const FOLD_CHANGES = `
  WITH taken AS (
    DELETE FROM inbox_changes WHERE ctid = ANY(ARRAY(
      SELECT unnest(array_agg(ctid)) FROM inbox_changes
      GROUP BY org_id, bot_id, assigned_to_id HAVING count(*) > 1))
    RETURNING org_id, bot_id, assigned_to_id, change
  )
  INSERT INTO inbox_changes (id, org_id, bot_id, assigned_to_id, change)
  SELECT gen_random_uuid(), org_id, bot_id, assigned_to_id, sum(change) FROM taken
  GROUP BY org_id, bot_id, assigned_to_id HAVING sum(change) <> 0`;

/** How many handoffs there are, without reading them: docs/patterns.md#deltas-instead-of-counters. */
export class InboxCountRepository extends ScopedRepository<InboxChange> {
  constructor() {
    super(InboxChange, 'handoff');
  }

  /** Selects the `total` of those that its conditions leave. */
  total(scope: OrgScope): SelectQueryBuilder<InboxChange> {
    return this.query(scope).select('coalesce(sum(row.change), 0)', 'total');
  }
}
