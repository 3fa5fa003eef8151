import { lazily } from '../ui/lazily.tsx';

/** Loads the encryption page for admins as a separate script. */
export const EncryptionArea = lazily(async () => (await import('./encryption-area.tsx')).EncryptionArea);
