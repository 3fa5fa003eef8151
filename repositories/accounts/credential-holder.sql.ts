import type { TableNames } from '../../database/table.ts';
import type { Org } from '../../entities/team/org.entity.ts';

/** Minimum time between two updates of the stored time at which a credential was last used. */
export const LAST_USE_INTERVAL = `interval '1 minute'`;

/**
 * Returns SQL for the id of the workspace whose request limit applies. In a hierarchy on the free plan, all
 * workspaces share the limit of the payer.
 */
export const selectBudgetId = (org: TableNames<Org>): string =>
  `CASE WHEN ${org('planTier')} = 'free' THEN ${org('payerId')} ELSE ${org('id')} END`;
