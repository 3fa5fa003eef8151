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
    email: Nullable(Type.String({ description: 'E-mail address of the account there.' })),
    created_at: DateTime('Since when it is linked.'),
    last_login_at: Nullable(DateTime('When somebody signed in with it last.')),
  },
  { $id: 'IdentityRead', description: 'An account at an identity provider, linked to one here.' },
);
export type IdentityRead = Static<typeof IdentityRead>;

export const IdentityStartResponse = Type.Object(
  {
    authorization_url: Type.String({ description: 'Where to send the person.' }),
    state: Type.String({ description: 'What the person must come back with.' }),
    nonce: Type.String({ description: 'What the ID token will contain.' }),
    code_verifier: Type.String({ description: 'Shows that whoever comes back is who went.' }),
    redirect_uri: Type.String({ description: 'Where the person comes back to, with `code` and `state`.' }),
  },
  {
    $id: 'IdentityStartResponse',
    description:
      'The way to an identity provider. Keep state, nonce and code_verifier until the person is back, in ten minutes at most unless set otherwise.',
  },
);
export type IdentityStartResponse = Static<typeof IdentityStartResponse>;

export const IdentityCallbackRequest = Strict(
  {
    code: Type.String({
      minLength: 8,
      maxLength: 2048,
      description: 'What the person came back with.',
      examples: ['4e2f8b6a1c9d'],
    }),
    code_verifier: Type.String({
      minLength: 43,
      maxLength: 128,
      description: 'From the start; good once.',
      examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
    }),
    nonce: Type.Optional(
      Nullable(Type.String({ maxLength: 256, description: 'From the start; checked in any case.' })),
    ),
    state: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 256,
          description: 'What the person came back with; must be that of the start.',
        }),
      ),
    ),
    iss: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2048,
          description: 'What the person came back with; must be the provider’s issuer (RFC 9207).',
        }),
      ),
    ),
  },
  { $id: 'IdentityCallbackRequest', description: 'What somebody brings back from an identity provider.' },
);
export type IdentityCallbackRequest = Static<typeof IdentityCallbackRequest>;
