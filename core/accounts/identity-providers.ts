import { Type, type Static } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compilesQuickly } from '../errors/schema-compiler.ts';

/** An OpenID Connect issuer with which users can sign in. */
export interface IdentityProvider {
  /** Name of the identity provider, used in URLs and shown to users. */
  name: string;
  issuer: string;
  clientId: string;
  /** Secret of Parley's OAuth client at the identity provider; null for a public client. */
  clientSecret: string | null;
  scopes: string;
  /** Whether a user's email address counts as verified even if the issuer does not confirm it. */
  trustsEmail: boolean;
  claims: ClaimNames;
}

/**
 * Names of the claims that describe a user in the issuer's tokens, in order of preference. The first valid
 * address and the first name that is not empty are used. The first present claim of `emailVerified` says
 * whether the address from the first claim of `email` is verified; other addresses count as unverified.
 */
export interface ClaimNames {
  email: readonly string[];
  /** Names of the claims that say whether the user's email address is verified. */
  emailVerified: readonly string[];
  name: readonly string[];
}

export const DEFAULT_CLAIMS: ClaimNames = {
  email: ['email'],
  emailVerified: ['email_verified'],
  name: ['name'],
};

/**
 * Pattern of an OpenID Connect issuer's URL. The pattern allows plain HTTP only for an issuer on the same
 * machine.
 */
const ISSUER = '^(https://[^\\s?#]+|http://(localhost|127\\.0\\.0\\.1)(:[0-9]+)?(/[^\\s?#]*)?)$';

const Claims = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 5 });
const Provider = Type.Object(
  {
    issuer: Type.String({ pattern: ISSUER }),
    client_id: Type.String({ minLength: 1 }),
    client_secret: Type.Optional(Type.String({ minLength: 1 })),
    scopes: Type.Optional(Type.String({ pattern: '(^| )openid( |$)' })),
    trust_email: Type.Optional(Type.Boolean()),
    claims: Type.Optional(
      Type.Object(
        {
          email: Type.Optional(Claims),
          email_verified: Type.Optional(Claims),
          name: Type.Optional(Claims),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);
const Providers = Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' }), Provider, {
  additionalProperties: false,
});

const isProviders = new Ajv2020(compilesQuickly).compile<Static<typeof Providers>>(Providers);

/** Parses the setting that lists the identity providers as JSON; null if the setting is invalid. */
export function parseIdentityProviders(setting: string): IdentityProvider[] | null {
  let value: unknown;
  try {
    value = JSON.parse(setting);
  } catch {
    return null;
  }
  if (!isProviders(value)) return null;
  return Object.entries(value).map(([name, provider]) => ({
    name,
    issuer: provider.issuer,
    clientId: provider.client_id,
    clientSecret: provider.client_secret ?? null,
    scopes: provider.scopes ?? 'openid email profile',
    trustsEmail: provider.trust_email ?? false,
    claims: {
      email: provider.claims?.email ?? DEFAULT_CLAIMS.email,
      emailVerified: provider.claims?.email_verified ?? DEFAULT_CLAIMS.emailVerified,
      name: provider.claims?.name ?? DEFAULT_CLAIMS.name,
    },
  }));
}
