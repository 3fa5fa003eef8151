import { lazily } from '../ui/lazily.tsx';

/** Few come here. */
export const ArchivePage = lazily(async () => (await import('./archive-page.tsx')).ArchivePage);
