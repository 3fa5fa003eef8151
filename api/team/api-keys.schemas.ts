import { Type, type Static } from '@sinclair/typebox';
import { scopes } from '../http/access/scopes.ts';
import { DateTime, Nullable, OneOf, Strict, Uuid } from '../http/schemas/schemas.ts';

export const ApiKeyParams = Type.Object({ key_id: Uuid('The API key.') });

export const ApiKeyCreate = Strict(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'What the key is for.',
      examples: ['Website'],
    }),
    scopes: Type.Array(OneOf(scopes), {
      minItems: 1,
      uniqueItems: true,
      description: 'What the key may do, as far as its creator may; write implies read.',
      examples: [['bots:read']],
    }),
    expires_at: Type.Optional(Nullable(DateTime('When the key ends by itself; without it never.'))),
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
        description: 'How long the old key still works.',
        examples: [1],
      }),
    ),
  },
  { $id: 'ApiKeyRotate', description: 'How a key is replaced.' },
);

const keyFields = {
  id: Uuid('The key’s id.'),
  name: Type.String({ description: 'What it is for.' }),
  prefix: Type.String({ description: 'What the key begins with.', examples: ['parley_live_'] }),
  last_four: Type.String({ description: 'Its last 4 characters.', examples: ['k3Xz'] }),
  scopes: Type.Array(Type.String(), { description: 'What it may do.', examples: [['bots:read']] }),
  api_version: Nullable(
    Type.String({
      description: 'The API version that its calls get when they name none; null for the current one.',
      examples: ['2026-09-03'],
    }),
  ),
  created_by_id: Uuid('The account whose rights it is limited to.'),
  created_at: DateTime('When it was made.'),
  last_used_at: Nullable(DateTime('When it was used last, to the minute; null for never.')),
  expires_at: Nullable(DateTime('When it ends by itself; null for never.')),
};

export const ApiKeyRead = Type.Object(keyFields, {
  $id: 'ApiKeyRead',
  description: 'An API key, but not the key itself.',
});
export type ApiKeyRead = Static<typeof ApiKeyRead>;

export const ApiKeyCreated = Type.Object(
  {
    ...keyFields,
    key: Type.String({
      description: 'The key. It is shown this once.',
      examples: ['parley_live_4fJ2mQz8Wk1Yp6Rt9Xv3Bn7Cd0Lh5s1M0ZzAe'],
    }),
  },
  { $id: 'ApiKeyCreated', description: 'A new API key.' },
);
export type ApiKeyCreated = Static<typeof ApiKeyCreated>;
