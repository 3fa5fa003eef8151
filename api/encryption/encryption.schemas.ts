import { Type, type Static } from '@sinclair/typebox';
import { encryptionModes } from '../../entities/encryption/org-encryption.entity.ts';
import { DateTime, Nullable, StringEnum, Strict } from '../http/schemas/schemas.ts';

const Mode = StringEnum(encryptionModes, {
  description:
    'platform: encrypted with the operator’s keys, or not encrypted. tenant: encrypted with keys that only the workspace’s own key service can decrypt.',
});

export const EncryptionQuery = Strict({
  mode: Type.Optional(
    StringEnum(encryptionModes, {
      description: 'Return the consequences of this mode instead of the current one.',
    }),
  ),
});

export const EncryptionUpdate = Strict(
  { mode: Mode },
  { $id: 'EncryptionUpdate', description: 'The owner of the key that encrypts content.' },
);

export const EncryptionState = Type.Object(
  {
    mode: Mode,
    consequences: Type.Array(Type.String(), {
      description:
        'The consequences of the mode, one per sentence; then, if any, the progress of background work and the last response of the key service.',
      examples: [['Those who operate this service can read the content; only secrets are encrypted.']],
    }),
    sealing: Type.Boolean({
      description: 'Whether the background work of a mode switch or rotation is unfinished.',
    }),
    key_created_at: Nullable(
      DateTime('Time at which the workspace’s current key was created; null if the workspace has no key.'),
    ),
  },
  { $id: 'EncryptionState', description: 'The encryption of the workspace’s content.' },
);
export type EncryptionState = Static<typeof EncryptionState>;
