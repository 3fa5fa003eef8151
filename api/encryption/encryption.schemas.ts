import { Type, type Static } from '@sinclair/typebox';
import { encryptionModes } from '../../entities/encryption/org-encryption.entity.ts';
import { DateTime, Nullable, OneOf, Strict } from '../http/schemas/schemas.ts';

const Mode = OneOf(encryptionModes, {
  description:
    'platform: with the keys of those who operate the service, or readable. tenant: with keys that only the workspace’s own key service can open.',
});

export const EncryptionQuery = Strict({
  mode: Type.Optional(
    OneOf(encryptionModes, {
      description: 'Tell the consequences of this mode in place of the present one’s.',
    }),
  ),
});

export const EncryptionUpdate = Strict(
  { mode: Mode },
  { $id: 'EncryptionUpdate', description: 'Whose key content is to be sealed with.' },
);

export const EncryptionState = Type.Object(
  {
    mode: Mode,
    consequences: Type.Array(Type.String(), {
      description:
        'What the mode means, sentence by sentence; then how far the background work is, and what the key service said last, where there is anything to say.',
      examples: [['Content is readable to those who operate this service; only secrets are sealed.']],
    }),
    sealing: Type.Boolean({
      description: 'Whether the background work of a switch or rotation is unfinished.',
    }),
    key_created_at: Nullable(DateTime('When the present key of the workspace was made; null without one.')),
  },
  { $id: 'EncryptionState', description: 'How the workspace’s content is sealed.' },
);
export type EncryptionState = Static<typeof EncryptionState>;
