import { Type } from '@sinclair/typebox';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas.ts';
import { OrgParams } from '../orgs/orgs.schemas.ts';
import { presentInvitation, presentMember } from './members.presenter.ts';
import {
  InvitationCreate,
  InvitationParams,
  InvitationRead,
  MemberParams,
  MemberRead,
  MemberRoleUpdate,
} from './members.schemas.ts';

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

export const listInvitations = defineOperation({
  ...isRead,
  id: 'listInvitations',
  role: 'admin',
  method: 'GET',
  path: '/api/orgs/{org_id}/invitations',
  params: OrgParams,
  responses: { 200: Type.Array(InvitationRead) },
  summary: 'Open and past invitations, newest first.',
  handle: async ({ ctx }, { invitations }) => (await invitations.list(ctx)).map(presentInvitation),
});

export const createInvitation = defineOperation({
  ...isWrite,
  id: 'createInvitation',
  method: 'POST',
  path: '/api/orgs/{org_id}/invitations',
  params: OrgParams,
  body: InvitationCreate,
  responses: { 201: InvitationRead },
  errors: ['conflict'],
  summary: 'Mail a link to somebody who is to join; it works once, for 7 days.',
  handle: async ({ ctx, body }, { invitations }) =>
    presentInvitation(await invitations.create(ctx, ctx.userId, { role: 'member', ...body })),
});

export const revokeInvitation = defineOperation({
  ...isWrite,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/invitations/{invitation_id}',
  params: InvitationParams,
  responses: { 200: Message },
  errors: ['conflict'],
  summary: 'Make the link of an invitation useless.',
  handle: async ({ ctx, params }, { invitations }) => {
    await invitations.revoke(ctx, params.invitation_id);
    return { message: 'The invitation is revoked.' };
  },
});

export const resendInvitation = defineOperation({
  ...isWrite,
  id: 'resendInvitation',
  method: 'POST',
  path: '/api/orgs/{org_id}/invitations/{invitation_id}/resend',
  params: InvitationParams,
  responses: { 200: InvitationRead },
  errors: ['conflict'],
  summary: 'Mail another link, which works for 7 days; the one before works no more.',
  handle: async ({ ctx, params }, { invitations }) =>
    presentInvitation(await invitations.resend(ctx, params.invitation_id)),
});
