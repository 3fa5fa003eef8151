import { AppError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { HoldingKind } from '../../repositories/usage/holdings.sql.ts';
import type { HoldingRoom } from './holding-room.ts';

/** Remedies without another plan. */
const remedies: Record<HoldingKind, string> = {
  documents: 'Delete some that you need no more',
  bots: 'Archive or delete one',
  seats: 'Revoke an invitation, or make somebody a viewer',
};

/**
 * Says which limit it is, what is used of it, and what to do. A workspace for which another one pays learns nothing of what that
 * one and others have.
 */
export function quotaExceeded({ orgId }: OrgScope, kind: HoldingKind, room: HoldingRoom): AppError {
  const { limit, used, payerId } = room;
  const reached = `The plan’s limit of ${limit} ${kind} is reached:`;
  const text =
    payerId === orgId
      ? `${reached} ${used} are used. ${remedies[kind]}, or ask an owner of the workspace that pays for a larger plan.`
      : `${reached} the workspaces that share the plan of the topmost one have used it up. ${remedies[kind]} in any of them, or ask an owner of the topmost workspace for a larger plan.`;
  return new AppError('quota_exceeded', text);
}

/** Why pages of a site are left out. */
export function noRoomForPages(limit: number): string {
  return `The plan’s limit of ${limit} documents is reached.`;
}
