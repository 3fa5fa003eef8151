import { Type, type Static } from '@sinclair/typebox';
import { scopes } from '../http/access/scopes.ts';
import { DateTime, Nullable, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const ApiKeyParams = Type.Object({ key_id: Uuid('The API key.') });

export const ApiKeyCreate = Strict(
  {
    name: SingleLine({
      minLength: 1,
      maxLength: 120,
      description: 'The purpose of the key.',
      examples: ['Website'],
    }),
    scopes: Type.Array(StringEnum(scopes), {
      minItems: 1,
      uniqueItems: true,
      description: 'The key’s scopes, limited by its creator’s rights; write implies read.',
      examples: [['bots:read']],
    }),
    expires_at: Type.Optional(
      Nullable(DateTime('Time at which the key expires; if absent, the key never expires.')),
    ),
  },
  { $id: 'ApiKeyCreate', description: 'A new API key.' },
);

export const ApiKeyRotate = Strict(
  {
    grace_hours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 24,
        default: 0,
        description: 'Number of hours for which the old key stays valid.',
        examples: [1],
      }),
    ),
  },
  { $id: 'ApiKeyRotate', description: 'The rotation of a key.' },
);

const keyFields = {
  id: Uuid('The key’s id.'),
  name: Type.String({ description: 'Purpose of the key.' }),
  prefix: Type.String({ description: 'The first characters of the key.', examples: ['parley_live_'] }),
  last_four: Type.String({ description: 'Last 4 characters of the key.', examples: ['k3Xz'] }),
  scopes: Type.Array(Type.String(), { description: 'Scopes of the key.', examples: [['bots:read']] }),
  api_version: Nullable(
    Type.String({
      description:
        'The API version for requests that do not specify a version; null for the current version.',
      examples: ['2026-09-03'],
    }),
  ),
  created_by_id: Uuid('The account whose rights limit the key.'),
  created_at: DateTime('Time of creation.'),
  last_used_at: Nullable(DateTime('Time of the last use, to the minute; null if never used.')),
  expires_at: Nullable(DateTime('Time at which the key expires; null if it never expires.')),
};

export const ApiKeyRead = Type.Object(keyFields, {
  $id: 'ApiKeyRead',
  description: 'The details of an API key, without its secret value.',
});
export type ApiKeyRead = Static<typeof ApiKeyRead>;

export const ApiKeyCreated = Type.Object(
  {
    ...keyFields,
    key: Type.String({
      description: 'The key. It is returned only in this response.',
      examples: ['parley_live_4fJ2mQz8Wk1Yp6Rt9Xv3Bn7Cd0Lh5s1M0ZzAe'],
    }),
  },
  { $id: 'ApiKeyCreated', description: 'A new API key.' },
);
export type ApiKeyCreated = Static<typeof ApiKeyCreated>;
