import { AppError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { QuotaKind } from '../../repositories/usage/quota-usage.sql.ts';
import type { QuotaUsage } from './quota-usage.ts';

/** Advice in the error for an exceeded limit: how to stay within the limit without a larger plan. */
const remedies: Record<QuotaKind, string> = {
  documents: 'Delete documents that you do not need',
  bots: 'Archive or delete a bot',
  seats: 'Revoke an invitation, or make a member a viewer',
};

/**
 * Creates the error for an exceeded limit of the plan, with the limit, the current number and some advice.
 * Omits the number if another workspace pays, because the number includes that payer's other workspaces.
 */
export function quotaExceeded({ orgId }: OrgScope, kind: QuotaKind, usage: QuotaUsage, added = 1): AppError {
  const { limit, used, payerId } = usage;
  const excess = added === 1 ? 'is reached' : `does not allow ${added} more`;
  const text =
    payerId === orgId
      ? `The plan’s limit of ${limit} ${kind} ${excess}: ${used} are used. ${remedies[kind]}, or have an owner choose a larger plan.`
      : `The plan’s limit of ${limit} ${kind}, which all workspaces of the hierarchy share, ${excess}. ${remedies[kind]} in any of them, or have an owner of the topmost workspace choose a larger plan.`;
  return new AppError('quota_exceeded', text, { subject: `limit ${kind}` });
}

/** Describes that pages of a website were skipped because of the plan's limit of documents. */
export function describeDocumentLimit(limit: number): string {
  return `The plan’s limit of ${limit} documents is reached.`;
}
