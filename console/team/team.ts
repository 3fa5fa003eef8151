import { path } from '../client/paths.ts';
import type { Me, Member, Org } from '../client/types.ts';

export type Role = Member['role'];

/** A workspace's team, and the role of the user in it. */
export interface Team {
  /** Id of the workspace. */
  id: string;
  name: string;
  /** Whether this is the session's workspace, not one below it. */
  isHere: boolean;
  /** URL of the workspace in the API. */
  url: string;
  userId: string;
  role: Role;
  /** False for an API key, which may not create keys. */
  isSession: boolean;
}

/** Returns the team of the session's workspace; null without a workspace. */
export function toTeam({ user, organization, session_id: sessionId }: Me): Team | null {
  if (organization === null) return null;
  const { id, name, role } = organization;
  return {
    id,
    name,
    isHere: true,
    url: path`/api/orgs/${id}`,
    userId: user.id,
    role: role as Role,
    isSession: sessionId !== null,
  };
}

/** Returns the team of another workspace for the same user. */
export function toOtherTeam({ id, name, role }: Org, here: Team): Team {
  return { ...here, id, name, role, url: path`/api/orgs/${id}`, isHere: id === here.id };
}

export function canManage({ role }: Team): boolean {
  return role === 'owner' || role === 'admin';
}

/**
 * Whether the user may transfer the ownership to the member: needs an owner with a session, and a member with a
 * verified address.
 */
export function canTransferOwnership({ role, isSession }: Team, member: Member): boolean {
  return role === 'owner' && isSession && member.role !== 'owner' && member.is_verified;
}

/** Returns the roles that the user may assign; only owners assign owners. */
export function listAssignableRoles({ role }: Team): readonly (readonly [Role, string])[] {
  return role === 'owner' ? [['owner', roleTexts.owner], ...invitedRoles] : invitedRoles;
}

const roleTexts: Record<Role, string> = {
  owner: 'Owner: everything',
  admin: 'Admin: all but what is the owner’s',
  member: 'Member: works with bots and conversations',
  viewer: 'Viewer: reads',
};

export const invitedRoles = (['member', 'admin', 'viewer'] as const).map(
  (role) => [role, roleTexts[role]] as const,
);
