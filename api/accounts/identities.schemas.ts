import { Type, type Static } from '@sinclair/typebox';
import { DateTime, Nullable, Strict } from '../http/schemas/schemas.ts';

export const IdentityParams = Type.Object({
  provider: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Name of an identity provider; GET /api/meta lists them.',
    examples: ['google'],
  }),
});

export const IdentityRead = Type.Object(
  {
    provider: Type.String({ description: 'Name of the identity provider.', examples: ['google'] }),
    email: Nullable(Type.String({ description: 'Email address of the account at the provider.' })),
    created_at: DateTime('Time at which the identity was linked.'),
    last_login_at: Nullable(DateTime('Time of the last sign-in with this identity.')),
  },
  {
    $id: 'IdentityRead',
    description: 'An account at an identity provider that is linked to a Parley account.',
  },
);
export type IdentityRead = Static<typeof IdentityRead>;

export const IdentityStartResponse = Type.Object(
  {
    authorization_url: Type.String({ description: 'The URL to redirect the person to.' }),
    state: Type.String({ description: 'The `state` that the provider’s redirect must contain.' }),
    nonce: Type.String({ description: 'The `nonce` that the ID token will contain.' }),
    code_verifier: Type.String({
      description: 'PKCE verifier, which proves that the same browser starts and finishes the sign-in.',
    }),
    redirect_uri: Type.String({ description: 'The redirect URI, which receives `code` and `state`.' }),
  },
  {
    $id: 'IdentityStartResponse',
    description:
      'The authorization URL of an identity provider. Store state, nonce and code_verifier until the person returns, by default within ten minutes.',
  },
);
export type IdentityStartResponse = Static<typeof IdentityStartResponse>;

export const IdentityCallbackRequest = Strict(
  {
    code: Type.String({
      minLength: 8,
      maxLength: 2048,
      description: 'The `code` parameter of the redirect.',
      examples: ['4e2f8b6a1c9d'],
    }),
    code_verifier: Type.String({
      minLength: 43,
      maxLength: 128,
      description: 'The code_verifier from startIdentity; works once.',
      examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    }),
    nonce: Type.Optional(
      Nullable(Type.String({ maxLength: 256, description: 'The nonce from startIdentity; always checked.' })),
    ),
    state: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 256,
          description:
            'The `state` parameter of the redirect; must equal the `state` that startIdentity returned.',
        }),
      ),
    ),
    email: Type.Optional(
      Nullable(
        Type.String({
          format: 'email',
          maxLength: 320,
          description:
            'Email address for a new account, if the provider has not confirmed one. Only finishIdentity uses this field. The first request with an address returns 409 and emails a code to this address.',
        }),
      ),
    ),
    email_code: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[0-9]{6}$',
          description: 'The code that was emailed to `email`.',
        }),
      ),
    ),
    iss: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2048,
          description: 'The `iss` parameter of the redirect; must be the provider’s issuer (RFC 9207).',
        }),
      ),
    ),
  },
  {
    $id: 'IdentityCallbackRequest',
    description: 'The parameters with which an identity provider redirects back.',
  },
);
export type IdentityCallbackRequest = Static<typeof IdentityCallbackRequest>;
