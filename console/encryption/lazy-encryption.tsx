import { lazily } from '../ui/lazily.tsx';

/** What admins see of encryption comes with a script of its own. */
export const EncryptionArea = lazily(async () => (await import('./encryption-area.tsx')).EncryptionArea);
