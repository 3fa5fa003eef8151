import type { TableNames } from '../../database/table.ts';
import type { Org } from '../../entities/team/org.entity.ts';

/** How long the last use of a credential may be older than what is noted of it. */
export const NOTED_EVERY = `interval '1 minute'`;

/** The workspace whose budget of requests a credential spends: without a plan, all below one share the budget of the topmost. */
export const budgetOf = (org: TableNames<Org>): string =>
  `CASE WHEN ${org('planTier')} = 'free' THEN ${org('payerId')} ELSE ${org('id')} END`;
