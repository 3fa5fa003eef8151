import { Type } from '@sinclair/typebox';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { Message } from '../http/schemas/schemas.ts';
import { presentApiKey, presentIssuedKey } from './api-keys.presenter.ts';
import { ApiKeyCreate, ApiKeyCreated, ApiKeyParams, ApiKeyRead, ApiKeyRotate } from './api-keys.schemas.ts';

/** Key management requires a session, since a leaked API key must not create further keys. */
const sessionAccess = { tag: 'api-keys', auth: 'session', scope: null, role: 'admin' } as const;

export const listApiKeys = defineOperation({
  ...sessionAccess,
  id: 'listApiKeys',
  isLong: true,
  method: 'GET',
  path: '/api/api-keys',
  responses: { 200: Type.Array(ApiKeyRead) },
  summary: 'The workspace’s API keys, newest first, without their secret values.',
  handle: async ({ ctx }, { team: { apiKeys } }) => (await apiKeys.list(ctx)).map(presentApiKey),
});

export const createApiKey = defineOperation({
  ...sessionAccess,
  id: 'createApiKey',
  method: 'POST',
  path: '/api/api-keys',
  body: ApiKeyCreate,
  responses: { 201: ApiKeyCreated },
  summary:
    'Create an API key. The key is returned only in this response, and never has more rights than the caller.',
  keyAlternative: 'Operators create keys with `npm run parley -- create-key`.',
  exposes: 'access',
  freshProof: true,
  notifies: ({ result }) => accessWords.keyCreated(result),
  handle: async ({ ctx, body }, { team: { apiKeys } }) => presentIssuedKey(await apiKeys.create(ctx, body)),
});

export const revokeApiKey = defineOperation({
  ...sessionAccess,
  id: 'revokeApiKey',
  method: 'DELETE',
  path: '/api/api-keys/{key_id}',
  params: ApiKeyParams,
  responses: { 200: Message },
  summary: 'Revoke an API key immediately.',
  handle: async ({ ctx, params }, { team: { apiKeys } }) => {
    await apiKeys.revoke(ctx, params.key_id);
    return { message: 'The API key is revoked.' };
  },
});

export const rotateApiKey = defineOperation({
  ...sessionAccess,
  id: 'rotateApiKey',
  method: 'POST',
  path: '/api/api-keys/{key_id}/rotate',
  params: ApiKeyParams,
  body: ApiKeyRotate,
  responses: { 201: ApiKeyCreated },
  errors: ['conflict'],
  summary:
    'Replace an API key with a new key that has the same scopes. The old key works until the grace period ends.',
  exposes: 'access',
  freshProof: true,
  notifies: ({ result }) => accessWords.keyRotated(result),
  handle: async ({ ctx, params, body, noteSubjects }, { team: { apiKeys } }) => {
    const issued = await apiKeys.rotate(ctx, params.key_id, body.grace_hours ?? 0);
    noteSubjects([{ resourceId: params.key_id }, { resourceId: issued.row.id }]);
    return presentIssuedKey(issued);
  },
});
