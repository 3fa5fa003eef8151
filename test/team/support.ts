import assert from 'node:assert/strict';
import { Membership, type OrgRole } from '../../entities/team/membership.entity.ts';
import type { ApiClient, SharedParley } from '../support/parley.ts';

/** Builds a signed-in user with this role, in a new workspace or the given workspace. */
export async function signInAs(parley: SharedParley, role: OrgRole = 'owner', orgId?: string) {
  const org = await parley.buildOrg({ role, ...(orgId !== undefined && { orgId }) });
  return { ...org, session: (await parley.signIn(org)).client };
}

/** Builds a signed-in member of a workspace, and the API path of the membership. */
export async function buildMember(parley: SharedParley, role: OrgRole, orgId?: string) {
  const member = await signInAs(parley, role, orgId);
  const { id: membershipId } = await parley.database
    .repository(Membership)
    .findOneByOrFail({ orgId: member.orgId, userId: member.userId });
  return { ...member, membershipId, path: `/api/orgs/${member.orgId}/members/${membershipId}` as const };
}

/** Creates a child workspace through the API. */
export async function buildChild(client: ApiClient, parentId: string, name = 'Branch') {
  const { status, body } = await client.post(`/api/orgs/${parentId}/children`, { name });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}
