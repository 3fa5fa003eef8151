import { path } from '../client/paths.ts';
import type { Me, Member, Org } from '../client/types.ts';

export type Role = Member['role'];

/** A team, and who looks at it. */
export interface Team {
  /** Of the workspace. */
  id: string;
  name: string;
  /** Whether it is the one that is worked in, and not one below it. */
  isHere: boolean;
  /** Of its workspace in the API. */
  url: string;
  userId: string;
  role: Role;
  /** API keys look at teams as well, but do not make each other. */
  isSession: boolean;
}

/** Null for a member of no workspace. */
export function teamOf({ user, organization, session_id: sessionId }: Me): Team | null {
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

/** Of another workspace, as whoever looks at the one here sees it. */
export function teamIn({ id, name, role }: Org, here: Team): Team {
  return { ...here, id, name, role, url: path`/api/orgs/${id}`, isHere: id === here.id };
}

export function mayManage({ role }: Team): boolean {
  return role === 'owner' || role === 'admin';
}

/** Owners who are signed in, to somebody whose address is verified. */
export function mayTransfer({ role, isSession }: Team, member: Member): boolean {
  return role === 'owner' && isSession && member.role !== 'owner' && member.is_verified;
}

/** Only owners make owners. */
export function rolesToGive({ role }: Team): readonly (readonly [Role, string])[] {
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
