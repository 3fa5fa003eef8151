import { Type, type Static } from '@sinclair/typebox';
import { orgRoles } from '../../entities/team/membership.entity.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../services/accounts/passwords/passwords.ts';
import { DateTime, Nullable, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const Email = Type.String({
  format: 'email',
  maxLength: 320,
  description: 'Email address; case-insensitive.',
  examples: ['ada@example.com'],
});
const Password = Type.String({
  minLength: 1,
  maxLength: PASSWORD_MAX_LENGTH,
  description: 'The current password.',
  examples: ['three blue lamps at noon'],
});
export const NewPassword = Type.String({
  minLength: PASSWORD_MIN_LENGTH,
  maxLength: PASSWORD_MAX_LENGTH,
  description:
    'Any characters, compared in NFKC form. Must not be a common password, or contain your name or address.',
  examples: ['four green lamps at dusk'],
});
export const FullName = SingleLine({
  minLength: 1,
  maxLength: 255,
  description: 'The person’s name.',
  examples: ['Ada Lovelace'],
});
const LinkToken = Type.String({
  minLength: 16,
  maxLength: 512,
  description: 'The token of the emailed link.',
  examples: ['c2l4dGVlbi1jaGFyYWN0ZXJzLWF0LWxlYXN0'],
});

export const RegisterRequest = Strict(
  {
    email: Email,
    password: NewPassword,
    full_name: FullName,
    organization_name: Type.Optional(
      SingleLine({
        minLength: 2,
        maxLength: 255,
        description: 'Name of the first workspace; derived from the person’s name by default.',
        examples: ['Acme'],
      }),
    ),
    invitation_token: Type.Optional(
      Type.String({
        minLength: 16,
        maxLength: 512,
        description:
          'The token at the end of the link in an invitation to this address. The account gets no workspace of its own, and can be registered even if registration is closed.',
      }),
    ),
  },
  { $id: 'RegisterRequest', description: 'A new account.' },
);

export const LoginRequest = Strict(
  { email: Email, password: Password },
  { $id: 'LoginRequest', description: 'Email address and password.' },
);

export const TokenResponse = Type.Object(
  {
    access_token: Type.String({
      description: 'The access token. Send it in the Authorization header, like an API key.',
    }),
    token_type: Type.Literal('Bearer', { description: 'The scheme of the Authorization header.' }),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.', examples: [900] }),
    refresh_token: Type.String({
      description:
        'The refresh token. It works once, to get the next pair of tokens. By default, it expires after 30 days, and no later than 90 days after the sign-in.',
    }),
    org_id: Nullable(Uuid('The workspace that the access token is for; null if the person belongs to none.')),
  },
  { $id: 'TokenResponse', description: 'The tokens of a signed-in session.' },
);
export type TokenResponse = Static<typeof TokenResponse>;

export const MfaChallengeResponse = Type.Object(
  {
    challenge_token: Type.String({
      description: 'Identifies this sign-in. Send the token with the code of the second factor.',
    }),
    expires_in: Type.Integer({ description: 'Seconds until the challenge token expires.', examples: [300] }),
    mfa_required: Type.Boolean({
      default: true,
      description: 'Always true: an access token is issued only after the second factor is verified.',
    }),
    recovery_available: Type.Boolean({
      default: true,
      description: 'Whether a recovery code is also accepted.',
    }),
  },
  { $id: 'MfaChallengeResponse', description: 'A second factor is required to complete the sign-in.' },
);
export type MfaChallengeResponse = Static<typeof MfaChallengeResponse>;

export const SignInResponse = Type.Union([TokenResponse, MfaChallengeResponse]);

const refreshToken = (description: string) => Type.String({ minLength: 8, maxLength: 2048, description });

/**
 * Refresh token of the caller's session, as proof for creating longer-lived tokens. Without this token, a
 * recent sign-in is required: a stolen access token alone must not suffice.
 */
export const ownRefreshToken = Type.Optional(
  Nullable(
    refreshToken(
      'The refresh token of the session. If absent, and the sign-in is more than ten minutes old, the request fails with `fresh_proof_required`.',
    ),
  ),
);

export const RefreshRequest = Strict(
  { refresh_token: refreshToken('The latest refresh token.') },
  { $id: 'RefreshRequest', description: 'The refresh token to exchange for the next pair of tokens.' },
);

export const SwitchOrgRequest = Strict(
  { org_id: Uuid('The workspace to work in.'), refresh_token: ownRefreshToken },
  { $id: 'SwitchOrgRequest', description: 'The workspace to switch to.' },
);

export const MeRead = Type.Object(
  {
    user: Type.Object(
      {
        id: Uuid('The account’s id.'),
        email: Type.String({ description: 'Email address.' }),
        full_name: Type.String({ description: 'The person’s name.' }),
        avatar_url: Nullable(Type.String({ description: 'URL of a picture of the person.' })),
        is_verified: Type.Boolean({ description: 'Whether the person has confirmed the email address.' }),
        mfa_enabled: Type.Boolean({ description: 'Whether sign-in requires a second factor.' }),
        has_password: Type.Boolean({ description: 'Whether the account has a password.' }),
        created_at: DateTime('Time of registration.'),
      },
      { description: 'The person; for an API key, its creator.' },
    ),
    organization: Type.Unsafe<OrganizationRead | null>({
      type: ['object', 'null'],
      description: 'The workspace; null if the person belongs to none.',
      properties: {
        id: Uuid('The workspace’s id.'),
        name: { type: 'string', description: 'The workspace’s name.' },
        slug: { type: 'string', description: 'The workspace’s name in URLs.' },
        plan_tier: { type: 'string', description: 'The workspace’s plan.' },
        role: StringEnum(orgRoles, { description: 'The person’s role in the workspace.' }),
      },
      required: ['id', 'name', 'slug', 'plan_tier', 'role'],
    }),
    session_id: Nullable(Uuid('The session, if the caller is signed in.')),
    api_key_id: Nullable(Uuid('The API key, if the caller uses one.')),
    scopes: Nullable(Type.Array(Type.String(), { description: 'The scopes of an API key.' })),
  },
  { $id: 'MeRead', description: 'The caller.' },
);
export type MeRead = Static<typeof MeRead>;

interface OrganizationRead {
  id: string;
  name: string;
  slug: string;
  plan_tier: string;
  role: string;
}

export const MeUpdate = Strict(
  {
    full_name: Type.Optional(FullName),
    avatar_url: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^https://',
          maxLength: 2000,
          description: 'URL of a picture of the person; null removes it.',
          examples: ['https://example.com/ada.png'],
        }),
      ),
    ),
    default_org_id: Type.Optional(Uuid('The workspace that is selected after signing in.')),
  },
  { $id: 'MeUpdate', description: 'Changes; absent fields stay unchanged.' },
);

export const AccountDeleteRequest = Strict(
  {
    password: Type.Optional(Nullable(Password)),
    code: Type.Optional(
      Nullable(
        Type.String({
          minLength: 4,
          maxLength: 64,
          description:
            'The code of the second factor if a second factor is on, or the emailed sign-in code if the account has no password.',
          examples: ['123456'],
        }),
      ),
    ),
  },
  { $id: 'AccountDeleteRequest', description: 'Proves that the request comes from the account’s owner.' },
);

export const SessionParams = Type.Object({ session_id: Uuid('Id of the session.') });

export const SessionRead = Type.Object(
  {
    id: Uuid('The session’s id.'),
    device: Type.String({
      description: 'Browser and operating system, derived from the User-Agent.',
      examples: ['Firefox on Linux'],
    }),
    place: Nullable(Type.String({ description: 'The IP address of the sign-in.' })),
    org_id: Nullable(Uuid('The session’s workspace.')),
    is_current: Type.Boolean({ description: 'Whether this is the caller’s session.' }),
    created_at: DateTime('Start time.'),
    last_used_at: DateTime('Time of the session’s last request, to the minute.'),
    expires_at: DateTime('Time at which the session expires unless it is refreshed.'),
  },
  { $id: 'SessionRead', description: 'An active session of the account.' },
);
export type SessionRead = Static<typeof SessionRead>;

export const ChangePasswordRequest = Strict(
  { current_password: Password, new_password: NewPassword },
  { $id: 'ChangePasswordRequest', description: 'The current and the new password.' },
);

export const EmailOnlyRequest = Strict(
  { email: Email },
  {
    $id: 'EmailOnlyRequest',
    description: 'An email address. The response does not reveal whether the address is known.',
  },
);

export const ResetPasswordRequest = Strict(
  {
    token: LinkToken,
    new_password: NewPassword,
    end_other_access: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to also revoke your API keys and unlink identity providers; sessions always end.',
      }),
    ),
  },
  { $id: 'ResetPasswordRequest', description: 'The token of the link, and the new password.' },
);

export const EmailVerifyRequest = Strict(
  {
    token: LinkToken,
    password: Type.Optional(
      Nullable(
        Type.String({
          ...Password,
          description:
            'The password that the account was registered with. If absent, all credentials of the account stop working, since another person may have registered the account.',
        }),
      ),
    ),
    new_password: Type.Optional(
      Nullable(
        Type.String({
          ...NewPassword,
          description:
            'A new password, if you do not know the password that the account was registered with.',
        }),
      ),
    ),
  },
  { $id: 'EmailVerifyRequest', description: 'The token of the link, and the credentials of its account.' },
);

export const OtpVerifyRequest = Strict(
  {
    email: Email,
    code: Type.String({ pattern: '^[0-9]{6}$', description: 'The emailed code.', examples: ['123456'] }),
  },
  { $id: 'OtpVerifyRequest', description: 'Email address and emailed code.' },
);
