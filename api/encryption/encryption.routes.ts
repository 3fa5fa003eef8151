import type { EncryptionView } from '../../services/encryption/encryption-service.ts';
import { accessWords } from '../../services/team/access-words.ts';
import { defineOperation } from '../http/operation.ts';
import { EncryptionQuery, EncryptionState, EncryptionUpdate } from './encryption.schemas.ts';

function presentEncryption(view: EncryptionView): EncryptionState {
  return {
    mode: view.mode,
    consequences: [...view.consequences],
    sealing: view.isSealing,
    key_created_at: view.keyCreatedAt?.toISOString() ?? null,
  };
}

const ownerAccess = { tag: 'encryption', auth: 'session', scope: null, role: 'owner' } as const;

export const getEncryption = defineOperation({
  tag: 'encryption',
  auth: 'member',
  scope: 'encryption:read',
  role: 'admin',
  id: 'getEncryption',
  method: 'GET',
  path: '/api/encryption',
  query: EncryptionQuery,
  responses: { 200: EncryptionState },
  summary:
    'The encryption of the workspace’s content, and the consequences of the current mode or of another mode.',
  handle: async ({ ctx, query }, { encryption: { encryption } }) =>
    presentEncryption(await encryption.get(ctx, query.mode)),
});

export const setEncryption = defineOperation({
  ...ownerAccess,
  id: 'setEncryption',
  method: 'PUT',
  path: '/api/encryption',
  body: EncryptionUpdate,
  responses: { 200: EncryptionState },
  errors: ['conflict', 'key_unavailable'],
  summary:
    'Choose whose key encrypts content. Existing content is encrypted or decrypted in the background. The mode tenant requires the workspace setting settings.key_service.',
  exposes: 'access',
  freshProof: true,
  notifies: 'handler',
  prepare: ({ ctx, body }, { encryption: { encryption } }) => encryption.prepareSwitch(ctx, body.mode),
  handle: async ({ ctx, body, prepared, noteSubjects, notifyOwners }, { encryption: { encryption } }) => {
    noteSubjects([{ resourceType: 'encryption', resourceId: ctx.orgId, action: body.mode }]);
    if (prepared !== null) notifyOwners(accessWords.encryptionSwitched(body.mode));
    return presentEncryption(await encryption.switch(ctx, body.mode, prepared));
  },
  settle: async ({ ctx, result }, { encryption: { contentKeys } }) => {
    contentKeys.forget(ctx.orgId);
    return result;
  },
});

export const rotateEncryptionKey = defineOperation({
  ...ownerAccess,
  id: 'rotateEncryptionKey',
  method: 'POST',
  path: '/api/encryption/rotate',
  responses: { 200: EncryptionState },
  errors: ['conflict', 'key_unavailable'],
  summary: 'Create a new key for the workspace. The current key is retired in the background.',
  exposes: 'access',
  freshProof: true,
  notifies: () => accessWords.encryptionRotated(),
  prepare: ({ ctx }, { encryption: { encryption } }) => encryption.prepareRotation(ctx),
  handle: async ({ ctx, prepared, noteSubjects }, { encryption: { encryption } }) => {
    noteSubjects([{ resourceType: 'encryption', resourceId: ctx.orgId }]);
    return presentEncryption(await encryption.rotate(ctx, prepared));
  },
  settle: async ({ ctx, result }, { encryption: { contentKeys } }) => {
    contentKeys.forget(ctx.orgId);
    return result;
  },
});
