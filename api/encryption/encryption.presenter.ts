import type { EncryptionView } from '../../services/encryption/encryption-service.ts';
import type { EncryptionState } from './encryption.schemas.ts';

export function presentEncryption(view: EncryptionView): EncryptionState {
  return {
    mode: view.mode,
    consequences: [...view.consequences],
    sealing: view.isSealing,
    key_created_at: view.keyCreatedAt?.toISOString() ?? null,
  };
}
