import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { NamedInvitation } from '../../repositories/team/invitation.repository.ts';
import { hasRole } from './roles.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export function canInvite(role: OrgRole | null): boolean {
  return hasRole(role, 'admin');
}

/**
 * Returns whether the links of an invitation are valid: it is pending, its workspace exists, and the
 * inviter's role still permits inviting.
 */
export function hasValidLinks({
  status,
  isOrgActive,
  inviterRole,
}: Pick<NamedInvitation, 'status' | 'isOrgActive' | 'inviterRole'>): boolean {
  return status === 'pending' && isOrgActive && canInvite(inviterRole);
}

/**
 * Returns the time at which the workspace may send another invitation; null if it may send one now.
 * @param earliest time of the oldest invitation that counts toward the daily limit; null if the limit is not
 *   reached
 */
export function computeNextInvitation(earliest: Date | null): Date | null {
  return earliest && new Date(earliest.getTime() + DAY_MS);
}
