import { Type } from '@sinclair/typebox';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { OrgParams } from './orgs.schemas.ts';
import { presentMember } from './members.presenter.ts';
import { MemberParams, MemberRead, MemberRoleUpdate, OwnershipTransfer } from './members.schemas.ts';

const readAccess = { tag: 'members', auth: 'member', scope: 'members:read', role: 'viewer' } as const;
const writeAccess = { tag: 'members', auth: 'member', scope: 'members:write', role: 'admin' } as const;

export const listMembers = defineOperation({
  ...readAccess,
  id: 'listMembers',
  isLong: true,
  method: 'GET',
  path: '/api/orgs/{org_id}/members',
  params: OrgParams,
  responses: { 200: Type.Array(MemberRead) },
  summary: 'The members of the workspace, in the order in which they joined.',
  handle: async ({ ctx }, { team: { members } }) => (await members.list(ctx)).map(presentMember),
});

export const setMemberRole = defineOperation({
  ...writeAccess,
  id: 'setMemberRole',
  method: 'PUT',
  endsCaller: true,
  path: '/api/orgs/{org_id}/members/{membership_id}/role',
  params: MemberParams,
  body: MemberRoleUpdate,
  responses: { 200: MemberRead },
  errors: ['last_owner', 'quota_exceeded'],
  summary:
    'Change a member’s role. Only signed-in people can make or change admins, only owners can make or change owners, and one owner must remain.',
  exposes: 'access',
  freshProof: true,
  notifies: ({ result }) => accessWords.roleChanged(result),
  handle: async ({ ctx, params, body }, { team: { members } }) =>
    presentMember(await members.setRole(ctx, params.membership_id, body.role)),
});

export const removeMember = defineOperation({
  ...writeAccess,
  id: 'removeMember',
  method: 'DELETE',
  endsCaller: true,
  decidesRole: true,
  path: '/api/orgs/{org_id}/members/{membership_id}',
  params: MemberParams,
  responses: { 200: Message },
  errors: ['last_owner'],
  summary:
    'Remove a member, or leave the workspace, which any signed-in member may do. The person’s sessions, keys and invitations in the workspace stop working. An API key cannot remove admins.',
  exposes: 'access',
  freshProof: true,
  notifies: 'handler',
  handle: async ({ ctx, params, notifyOwners }, { team: { members } }) => {
    const { member, isLeaving } = await members.remove(ctx, params.membership_id);
    notifyOwners(accessWords.memberRemoved(presentMember(member), isLeaving));
    return { message: 'The member is removed.' };
  },
});

export const transferOwnership = defineOperation({
  tag: 'members',
  auth: 'session',
  scope: null,
  role: 'owner',
  id: 'transferOwnership',
  method: 'POST',
  endsCaller: true,
  path: '/api/orgs/{org_id}/transfer-ownership',
  params: OrgParams,
  body: OwnershipTransfer,
  responses: { 200: Message },
  errors: ['not_found', 'conflict', 'quota_exceeded'],
  summary:
    'Make another verified member the owner and yourself an admin; requires your password, or a recent sign-in if you have none.',
  exposes: 'access',
  freshProof: 'or_in_body',
  notifies: 'handler',
  prepare: ({ ctx, body }, { accounts: { accounts } }) =>
    accounts.proveOwnership(ctx.db, ctx, { password: body.password ?? null }),
  handle: async ({ ctx, body, noteSubjects, notifyOwners }, { team: { members } }) => {
    noteSubjects([{ resourceType: 'membership', resourceId: body.membership_id.toLowerCase() }]);
    const { newOwner, isAdminNow } = await members.transferOwnership(ctx, body.membership_id);
    notifyOwners(accessWords.ownershipTransferred(presentMember(newOwner)));
    return {
      message: `${newOwner.fullName} is now an owner${isAdminNow ? ', and you are now an admin' : ''}.`,
    };
  },
});
