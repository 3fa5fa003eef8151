import { AppError } from '../../core/errors/errors.ts';
import type { HoldingKind } from '../../repositories/usage/holdings.sql.ts';

/** What somebody can do without another plan. */
const remedies: Record<HoldingKind, string> = {
  documents: 'Delete some that you need no more',
  bots: 'Archive or delete one',
  seats: 'Revoke an invitation, or make somebody a viewer',
};

/** Says which limit it is, what is used of it, and what to do; nothing of the workspace that pays. */
export function quotaExceeded(kind: HoldingKind, { limit, used }: { limit: number; used: number }): AppError {
  const reached = `The plan’s limit of ${limit} ${kind} is reached: ${used} are used.`;
  const upgrade = 'or ask an owner of the workspace that pays for a larger plan.';
  return new AppError('quota_exceeded', `${reached} ${remedies[kind]}, ${upgrade}`);
}

/** Why pages of a site are left out. */
export function noRoomForPages(limit: number): string {
  return `The plan’s limit of ${limit} documents is reached.`;
}
