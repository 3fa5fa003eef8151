import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { NamedInvitation } from '../../repositories/team/invitation.repository.ts';
import { hasRole } from './roles.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export function canInvite(role: OrgRole | null): boolean {
  return hasRole(role, 'admin');
}

/** Whether its links are valid: it is pending, its workspace exists, and its sender could still send it. */
export function isInvitationOpen({
  status,
  isOrgOpen,
  inviterRole,
}: Pick<NamedInvitation, 'status' | 'isOrgOpen' | 'inviterRole'>): boolean {
  return status === 'pending' && isOrgOpen && canInvite(inviterRole);
}

/**
 * Returns the time at which a workspace at its daily limit may send another invitation; null for now.
 * @param earliest time of the oldest invitation within the limit; null if the limit is not reached
 */
export function computeNextInvitation(earliest: Date | null): Date | null {
  return earliest && new Date(earliest.getTime() + DAY_MS);
}
