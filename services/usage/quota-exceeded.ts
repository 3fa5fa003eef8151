import { AppError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { QuotaKind } from '../../repositories/usage/quota-usage.sql.ts';
import type { QuotaUsage } from './quota-usage.ts';

/** Advice on how to stay within the limit without a larger plan. */
const remedies: Record<QuotaKind, string> = {
  documents: 'Delete some that you do not need',
  bots: 'Archive or delete one',
  seats: 'Revoke an invitation, or make a member a viewer',
};

/**
 * Creates the error with the limit, the current number and some advice. Omits the number if another workspace
 * pays, because the number includes that payer's other workspaces.
 */
export function quotaExceeded({ orgId }: OrgScope, kind: QuotaKind, room: QuotaUsage): AppError {
  const { limit, used, payerId } = room;
  const reached = `The plan’s limit of ${limit} ${kind} is reached:`;
  const text =
    payerId === orgId
      ? `${reached} ${used} are used. ${remedies[kind]}, or ask an owner of the workspace that pays for a larger plan.`
      : `${reached} the workspaces that share the plan of the topmost one have used it up. ${remedies[kind]} in any of them, or ask an owner of the topmost workspace for a larger plan.`;
  return new AppError('quota_exceeded', text);
}

/** Describes why pages of a website were skipped. */
export function describeDocumentLimit(limit: number): string {
  return `The plan’s limit of ${limit} documents is reached.`;
}
