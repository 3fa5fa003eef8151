import { Type, type Static } from '@sinclair/typebox';
import { invitationStatuses, invitedRoles } from '../../entities/team/invitation.entity.ts';
import { mailStates } from '../../entities/mail/mail.entity.ts';
import { FullName, ownRefreshToken } from '../accounts/auth.schemas.ts';
import { DateTime, Nullable, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';
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
  description: 'The token at the end of the emailed link.',
  examples: ['tbnLq1yZ0k5W8xvV2Ff7rXnJm3cD6pQs9uHhA4eGyTo'],
});
export const InvitationTokenParams = Type.Object({ token: Token });

export const MemberRoleUpdate = Strict(
  { role: Role },
  { $id: 'MemberRoleUpdate', description: 'The new role of a member.' },
);

export const OwnershipTransfer = Strict(
  {
    membership_id: Uuid('The new owner’s membership id.'),
    password: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'The caller’s password; without one, a recent sign-in is required instead.',
          examples: ['correct horse battery staple'],
        }),
      ),
    ),
  },
  { $id: 'OwnershipTransfer', description: 'The transfer of ownership.' },
);

export const MemberRead = Type.Object(
  {
    membership_id: Uuid('The membership’s id.'),
    user_id: Uuid('The account’s id.'),
    email: Type.String({ description: 'The account’s email address.', examples: ['ada@example.com'] }),
    full_name: Type.String({ description: 'The person’s name.' }),
    avatar_url: Nullable(Type.String({ description: 'URL of the person’s picture.' })),
    is_verified: Type.Boolean({ description: 'Whether the email address is verified.' }),
    role: Role,
    is_default: Type.Boolean({ description: 'Whether the person’s sessions start in this workspace.' }),
    joined_at: DateTime('Time at which the person became a member.'),
    last_login_at: Nullable(DateTime('Time of the person’s last sign-in.')),
  },
  { $id: 'MemberRead', description: 'A member of a workspace.' },
);
export type MemberRead = Static<typeof MemberRead>;

export const InvitationCreate = Strict(
  {
    email: Type.String({
      format: 'email',
      minLength: 5,
      maxLength: 320,
      description: 'The email address to which the link is sent.',
      examples: ['grace@example.com'],
    }),
    role: Type.Optional(
      StringEnum(invitedRoles, {
        default: 'member',
        description: 'The role to assign.',
        examples: ['member'],
      }),
    ),
  },
  { $id: 'InvitationCreate', description: 'An invitation to a workspace.' },
);

export const InvitationRead = Type.Object(
  {
    id: Uuid('The invitation’s id.'),
    email: Type.String({ description: 'The email address to which the link was sent.' }),
    role: Type.String({ description: 'The role to assign.', examples: ['member'] }),
    status: StringEnum(invitationStatuses, {
      description: 'pending: the link can be used; accepted, expired, revoked: the link no longer works.',
    }),
    expires_at: DateTime('Time at which the link expires.'),
    created_at: DateTime('Time of the first invitation.'),
    accepted_at: Nullable(DateTime('Time at which the person joined.')),
    invited_by: Type.String({
      default: '',
      description: 'The inviter’s name; empty if the account was deleted.',
    }),
    mail_state: Nullable(
      StringEnum(mailStates, {
        description:
          'Status of the email with the current link; null until it is queued. pending: being sent; kept: shown at /dev/mail, since no mail server is configured; suppressed: the email address is blocked; refused, failed: it was not delivered.',
      }),
    ),
    reminded_at: Nullable(DateTime('Time of the reminder, which is sent once per link.')),
    link: Nullable(
      Type.String({
        description:
          'A link to share. Returned only when the invitation is created or resent; null in all other responses. Unlike the emailed link, it requires an account with this confirmed email address.',
      }),
    ),
  },
  { $id: 'InvitationRead', description: 'An invitation to a workspace.' },
);
export type InvitationRead = Static<typeof InvitationRead>;

export const InvitationPreview = Type.Object(
  {
    organization_name: Type.String({ description: 'The workspace’s name.' }),
    organization_slug: Type.String({ description: 'The workspace’s name in URLs.' }),
    email: Type.String({ description: 'The invited email address.' }),
    role: Role,
    expires_at: DateTime('Time at which the link expires.'),
    has_account: Type.Boolean({
      default: false,
      description:
        'Whether an account with this email address exists. If so, accepting requires signing in to it.',
    }),
    invited_by: Nullable(Type.String({ description: 'The inviter’s name.' })),
    takes_account: Type.Boolean({
      description:
        'Whether the link was shared: accepting it requires signing in to an account with the confirmed email address. has_account then does not reveal whether the account exists.',
    }),
  },
  { $id: 'InvitationPreview', description: 'Details of an invitation, for the holder of its link.' },
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
          description: 'The password of a new account.',
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
