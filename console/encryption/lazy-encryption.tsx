import { lazyComponent } from '../ui/lazy-component.tsx';

/** Loads the encryption page for admins as a separate script. */
export const EncryptionArea = lazyComponent(
  async () => (await import('./encryption-area.tsx')).EncryptionArea,
);
