import { Type } from '@sinclair/typebox';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import type { NamedInvitation } from '../../repositories/team/invitation.repository.ts';
import type { InvitationService } from '../../services/team/invitation-service.ts';
import { presentTokens } from '../accounts/auth.presenter.ts';
import { TokenResponse } from '../accounts/auth.schemas.ts';
import { describeDevice } from '../http/access/device.ts';
import { Message } from '../http/schemas/schemas.ts';
import { OrgParams } from './orgs.schemas.ts';
import { presentInvitation, presentPreview } from './members.presenter.ts';
import {
  AcceptInvitationRequest,
  InvitationCreate,
  InvitationParams,
  InvitationPreview,
  InvitationRead,
  InvitationTokenParams,
} from './members.schemas.ts';

const adminAccess = { tag: 'members', auth: 'member', role: 'admin' } as const;
const readAccess = { ...adminAccess, scope: 'members:read' } as const;
const writeAccess = { ...adminAccess, scope: 'members:write' } as const;
const publicAccess = { tag: 'members', auth: 'public', scope: null, role: null } as const;

const presentSent = (invitations: InvitationService, sent: NamedInvitation): InvitationRead =>
  presentInvitation(sent, invitations.buildShareableLink(sent));

export const listInvitations = defineOperation({
  ...readAccess,
  id: 'listInvitations',
  isLong: true,
  method: 'GET',
  path: '/api/orgs/{org_id}/invitations',
  params: OrgParams,
  responses: { 200: Type.Array(InvitationRead) },
  summary: 'Open and past invitations, newest first.',
  handle: async ({ ctx }, { team: { invitations } }) =>
    (await invitations.list(ctx)).map((each) => presentInvitation(each, null)),
});

export const createInvitation = defineOperation({
  ...writeAccess,
  id: 'createInvitation',
  method: 'POST',
  path: '/api/orgs/{org_id}/invitations',
  params: OrgParams,
  body: InvitationCreate,
  responses: { 201: InvitationRead },
  errors: ['conflict', 'quota_exceeded'],
  summary:
    'Email an invitation link to a person; it works once, until expires_at. Needs a confirmed email address; an API key cannot invite admins.',
  exposes: 'access',
  freshProof: true,
  notifies: ({ result: { email, role } }) => accessWords.invited(email, role),
  prepare: ({ ctx, body }, { team: { invitations } }) => invitations.assertMayInvite(ctx, body.email),
  handle: async ({ ctx, body }, { team: { invitations } }) =>
    presentSent(invitations, await invitations.create(ctx, { role: 'member', ...body })),
});

export const revokeInvitation = defineOperation({
  ...writeAccess,
  id: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/orgs/{org_id}/invitations/{invitation_id}',
  params: InvitationParams,
  responses: { 200: Message },
  errors: ['conflict'],
  summary: 'Revoke an invitation: its link stops working.',
  handle: async ({ ctx, params }, { team: { invitations } }) => {
    await invitations.revoke(ctx, params.invitation_id);
    return { message: 'The invitation is revoked.' };
  },
});

export const resendInvitation = defineOperation({
  ...writeAccess,
  id: 'resendInvitation',
  method: 'POST',
  path: '/api/orgs/{org_id}/invitations/{invitation_id}/resend',
  params: InvitationParams,
  responses: { 200: InvitationRead },
  errors: ['conflict', 'quota_exceeded'],
  summary: 'Email a new link, which works until the new expires_at; the previous link stops working.',
  exposes: 'access',
  freshProof: true,
  notifies: ({ result: { email, role } }) => accessWords.invitationResent(email, role),
  prepare: ({ ctx, params }, { team: { invitations } }) =>
    invitations.assertMayResend(ctx, params.invitation_id),
  handle: async ({ ctx, params }, { team: { invitations } }) =>
    presentSent(invitations, await invitations.resend(ctx, params.invitation_id)),
});

export const previewInvitation = defineOperation({
  ...publicAccess,
  id: 'previewInvitation',
  method: 'GET',
  path: '/api/invitations/{token}',
  params: InvitationTokenParams,
  responses: { 200: InvitationPreview },
  errors: ['not_found'],
  summary: 'The details of an invitation, for the holder of its link.',
  handle: async ({ ctx, params }, { team: { invitations } }) =>
    presentPreview(await invitations.getByLink(ctx.db, params.token)),
});

export const acceptInvitation = defineOperation({
  ...publicAccess,
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/invitations/accept',
  body: AcceptInvitationRequest,
  responses: { 200: TokenResponse },
  errors: ['not_found', 'unauthenticated', 'forbidden', 'fresh_proof_required', 'conflict'],
  summary:
    'Join the workspace with a new account that has this name and password, or while signed in to the invited account.',
  exposes: 'access',
  prepare: ({ ctx, body, headers }, { team: { acceptance } }) =>
    acceptance.prepare(ctx.db, body, /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]),
  handle: async ({ ctx, body, headers, prepared: joiner }, { team: { acceptance } }) =>
    presentTokens(
      await acceptance.accept(ctx.db, body.token, joiner, {
        ...describeDevice(ctx, headers),
        requestId: ctx.requestId,
      }),
    ),
});
