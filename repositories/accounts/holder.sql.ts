import type { TableNames } from '../../database/table.ts';
import type { Org } from '../../entities/team/org.entity.ts';

/** A credential's last use is updated at most once in this interval. */
export const LAST_USE_INTERVAL = `interval '1 minute'`;

/**
 * Returns SQL for the workspace whose request budget a credential spends. Workspaces of a hierarchy without a plan
 * share the payer's budget.
 */
export const selectBudgetId = (org: TableNames<Org>): string =>
  `CASE WHEN ${org('planTier')} = 'free' THEN ${org('payerId')} ELSE ${org('id')} END`;
