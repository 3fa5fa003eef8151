import { Type } from '@sinclair/typebox';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas.ts';
import { OrgParams } from '../orgs/orgs.schemas.ts';
import { presentMember } from './members.presenter.ts';
import { MemberParams, MemberRead, MemberRoleUpdate } from './members.schemas.ts';

const isRead = { tag: 'members', auth: 'member', scope: 'members:read', role: 'viewer' } as const;
const isWrite = { tag: 'members', auth: 'member', scope: 'members:write', role: 'admin' } as const;

export const listMembers = defineOperation({
  ...isRead,
  id: 'listMembers',
  method: 'GET',
  path: '/api/orgs/{org_id}/members',
  params: OrgParams,
  responses: { 200: Type.Array(MemberRead) },
  summary: 'The team, in the order in which people have joined.',
  handle: async ({ ctx }, { members }) => (await members.list(ctx)).map(presentMember),
});

export const setMemberRole = defineOperation({
  ...isWrite,
  id: 'setMemberRole',
  method: 'PUT',
  path: '/api/orgs/{org_id}/members/{membership_id}/role',
  params: MemberParams,
  body: MemberRoleUpdate,
  responses: { 200: MemberRead },
  errors: ['last_owner'],
  summary: 'Change a member’s role; only owners make and change owners, and one always stays.',
  handle: async ({ ctx, params, body }, { members }) =>
    presentMember(await members.setRole(ctx, params.membership_id, body.role)),
});

export const removeMember = defineOperation({
  ...isWrite,
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/members/{membership_id}',
  params: MemberParams,
  responses: { 200: Message },
  errors: ['last_owner'],
  summary: 'Remove a member, or leave; the person’s sessions and keys in this workspace stop.',
  handle: async ({ ctx, params }, { members }) => {
    await members.remove(ctx, params.membership_id);
    return { message: 'The member is removed.' };
  },
});
