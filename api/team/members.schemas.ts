import { Type, type Static } from '@sinclair/typebox';
import { invitationStatuses, invitedRoles } from '../../entities/team/invitation.entity.ts';
import { mailStates } from '../../entities/mail/mail.entity.ts';
import { FullName, ownRefreshToken } from '../accounts/auth.schemas.ts';
import { DateTime, Nullable, OneOf, Strict, Uuid } from '../http/schemas/schemas.ts';
import { OrgParams, Role } from './orgs.schemas.ts';

export const MemberParams = Type.Composite([
  OrgParams,
  Type.Object({ membership_id: Uuid('The membership.') }),
]);
export const InvitationParams = Type.Composite([
  OrgParams,
  Type.Object({ invitation_id: Uuid('The invitation.') }),
]);

const Token = Type.String({
  minLength: 16,
  maxLength: 512,
  description: 'What the mailed link ends with.',
  examples: ['tbnLq1yZ0k5W8xvV2Ff7rXnJm3cD6pQs9uHhA4eGyTo'],
});
export const InvitationTokenParams = Type.Object({ token: Token });

export const MemberRoleUpdate = Strict(
  { role: Role },
  { $id: 'MemberRoleUpdate', description: 'The role that a member has from now on.' },
);

export const OwnershipTransfer = Strict(
  {
    membership_id: Uuid('The membership of whoever becomes owner.'),
    password: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The caller’s password; for those who have none, a fresh sign-in counts in its place.',
          examples: ['correct horse battery staple'],
        }),
      ),
    ),
  },
  { $id: 'OwnershipTransfer', description: 'Who becomes the owner.' },
);

export const MemberRead = Type.Object(
  {
    membership_id: Uuid('The membership’s id.'),
    user_id: Uuid('The account’s id.'),
    email: Type.String({ description: 'The account’s address.', examples: ['ada@example.com'] }),
    full_name: Type.String({ description: 'What the person is called.' }),
    avatar_url: Nullable(Type.String({ description: 'Where the person’s picture is.' })),
    is_verified: Type.Boolean({ description: 'Whether the address is verified.' }),
    role: Role,
    is_default: Type.Boolean({ description: 'Whether the person’s sessions begin in this workspace.' }),
    joined_at: DateTime('Since when the person is a member.'),
    last_login_at: Nullable(DateTime('When the person has signed in last.')),
  },
  { $id: 'MemberRead', description: 'Somebody who belongs to a workspace.' },
);
export type MemberRead = Static<typeof MemberRead>;

export const InvitationCreate = Strict(
  {
    email: Type.String({
      format: 'email',
      minLength: 5,
      maxLength: 320,
      description: 'Where the link is mailed to.',
      examples: ['grace@example.com'],
    }),
    role: Type.Optional(
      OneOf(invitedRoles, {
        default: 'member',
        description: 'What the person is to be.',
        examples: ['member'],
      }),
    ),
  },
  { $id: 'InvitationCreate', description: 'Who is asked to join.' },
);

export const InvitationRead = Type.Object(
  {
    id: Uuid('The invitation’s id.'),
    email: Type.String({ description: 'Where the link was mailed to.' }),
    role: Type.String({ description: 'What the person is to be.', examples: ['member'] }),
    status: OneOf(invitationStatuses, {
      description: 'pending: the link can be used; accepted, expired, revoked: it cannot any more.',
    }),
    expires_at: DateTime('Until when the link can be used.'),
    created_at: DateTime('When the person was invited first.'),
    accepted_at: Nullable(DateTime('When the person has joined.')),
    invited_by: Type.String({
      default: '',
      description: 'Name of whoever invited; empty when the account is gone.',
    }),
    mail_state: Nullable(
      OneOf(mailStates, {
        description:
          'Of the mail with the present link; null until it is queued. pending: on its way; kept: shown at /dev/mail, as no mail server is set; suppressed: the address takes none; refused, failed: it did not arrive.',
      }),
    ),
    reminded_at: Nullable(DateTime('When the person was reminded, which happens once for each link.')),
    link: Nullable(
      Type.String({
        description:
          'A link to hand on, for whoever invites or sends again, in that answer alone; null in all others. Unlike the mailed one it takes a confirmed account of the address.',
      }),
    ),
  },
  { $id: 'InvitationRead', description: 'An invitation into a workspace.' },
);
export type InvitationRead = Static<typeof InvitationRead>;

export const InvitationPreview = Type.Object(
  {
    organization_name: Type.String({ description: 'The workspace’s name.' }),
    organization_slug: Type.String({ description: 'Its name in addresses.' }),
    email: Type.String({ description: 'The address that is invited.' }),
    role: Role,
    expires_at: DateTime('Until when the link can be used.'),
    has_account: Type.Boolean({
      default: false,
      description: 'Whether there is an account with this address, which then has to be signed in.',
    }),
    invited_by: Nullable(Type.String({ description: 'Name of whoever invited.' })),
    takes_account: Type.Boolean({
      description:
        'Whether the link was handed on: it is accepted signed in, with the confirmed account of the address. has_account does not tell of that one.',
    }),
  },
  { $id: 'InvitationPreview', description: 'What the holder of a link sees of an invitation.' },
);
export type InvitationPreview = Static<typeof InvitationPreview>;

export const AcceptInvitationRequest = Strict(
  {
    token: Token,
    full_name: Type.Optional(Nullable(FullName)),
    password: Type.Optional(
      Nullable(
        Type.String({
          minLength: 8,
          maxLength: 200,
          description: 'For a new account: its password.',
          examples: ['correct horse battery staple'],
        }),
      ),
    ),
    refresh_token: ownRefreshToken,
  },
  {
    $id: 'AcceptInvitationRequest',
    description: 'Joins a workspace: with a new account, or with the account that is signed in.',
  },
);
