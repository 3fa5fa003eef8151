import { Type } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compilesQuickly } from '../errors/schema-compiler.ts';

/** An OpenID Connect issuer with which users can sign in. */
export interface IdentityProvider {
  /** Name of the provider, used in URLs and shown to users. */
  name: string;
  issuer: string;
  clientId: string;
  /** Secret of the OAuth client; null for a public client. */
  clientSecret: string | null;
  scopes: string;
}

/** Pattern of an issuer's URL. It allows plain HTTP only for an issuer on the same machine. */
const ISSUER = '^(https://[^\\s?#]+|http://(localhost|127\\.0\\.0\\.1)(:[0-9]+)?(/[^\\s?#]*)?)$';

const Provider = Type.Object(
  {
    issuer: Type.String({ pattern: ISSUER }),
    client_id: Type.String({ minLength: 1 }),
    client_secret: Type.Optional(Type.String({ minLength: 1 })),
    scopes: Type.Optional(Type.String({ pattern: '(^| )openid( |$)' })),
  },
  { additionalProperties: false },
);
const Providers = Type.Record(Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,39}$' }), Provider, {
  additionalProperties: false,
});

interface ProviderSetting {
  issuer: string;
  client_id: string;
  client_secret?: string;
  scopes?: string;
}

const isProviders = new Ajv2020(compilesQuickly).compile<Record<string, ProviderSetting>>(Providers);

/** Parses the setting that lists the providers as JSON; null if it is invalid. */
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
  }));
}
