import { AppError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { QuotaKind } from '../../repositories/usage/quota-usage.sql.ts';
import type { QuotaUsage } from './quota-usage.ts';

/** Remedies without another plan. */
const remedies: Record<QuotaKind, string> = {
  documents: 'Delete some that you do not need',
  bots: 'Archive or delete one',
  seats: 'Revoke an invitation, or make a member a viewer',
};

/**
 * Creates the error with the limit, its use and a remedy. The use is not shown to a workspace that another one pays for,
 * since it includes other workspaces.
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

/** Returns the reason for skipping pages of a site. */
export function describeDocumentLimit(limit: number): string {
  return `The plan’s limit of ${limit} documents is reached.`;
}
