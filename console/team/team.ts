import { path } from '../client/paths.ts';
import type { Me, Member, Org } from '../client/types.ts';

export type Role = Member['role'];

/** A workspace, with the role that the user has in it. */
export interface Team {
  /** Id of the workspace. */
  id: string;
  name: string;
  /**
   * Whether the user's session is in this workspace. False if the session is in a higher workspace of the
   * hierarchy.
   */
  isHere: boolean;
  /** URL of the workspace in the API. */
  url: string;
  userId: string;
  role: Role;
  /** Whether the user has signed in with an account. An API key cannot create keys. */
  isSession: boolean;
}

/** Returns the workspace of the session with the user's role; null if the session has no workspace. */
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

/**
 * Returns another workspace with the user's role in that workspace.
 * @param here workspace of the session
 */
export function toOtherTeam({ id, name, role }: Org, here: Team): Team {
  return { ...here, id, name, role, url: path`/api/orgs/${id}`, isHere: id === here.id };
}

export function canManage({ role }: Team): boolean {
  return role === 'owner' || role === 'admin';
}

/**
 * Whether the user may make a member the owner of the workspace. The user must be an owner signed in with an
 * account, and the member's email address must be verified.
 */
export function canTransferOwnership({ role, isSession }: Team, member: Member): boolean {
  return role === 'owner' && isSession && member.role !== 'owner' && member.is_verified;
}

/**
 * Returns the roles that the user may give to members of the workspace. Only owners may make others an owner.
 */
export function listAssignableRoles({ role }: Team): readonly Role[] {
  return role === 'owner' ? ['owner', ...invitedRoles] : invitedRoles;
}

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  viewer: 'Viewer',
};

const roleHints: Record<Role, string> = {
  owner: 'Everything',
  admin: 'Everything except ownership and billing',
  member: 'Manage bots and conversations',
  viewer: 'Read only',
};

/** Returns the name of a member's role. Returns a role that this version does not know unchanged. */
export function nameRole(role: string): string {
  return (roleNames as Record<string, string>)[role] ?? role;
}

/** Returns the option of a member's role for radio buttons. */
export function toRoleChoice<R extends Role>(role: R) {
  return { value: role, title: roleNames[role], hint: roleHints[role] };
}

/** Roles that invitations can give. */
export const invitedRoles = ['member', 'admin', 'viewer'] as const;
export type InvitedRole = (typeof invitedRoles)[number];

/** Options of a select field for the role of an invitation. */
export const invitedRoleOptions = invitedRoles.map(
  (role) => [role, `${roleNames[role]}: ${roleHints[role].toLowerCase()}`] as const,
);
