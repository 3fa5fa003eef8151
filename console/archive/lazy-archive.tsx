import { lazily } from '../ui/lazily.tsx';

/** Loads the page as a separate script, since few users open it. */
export const ArchivePage = lazily(async () => (await import('./archive-page.tsx')).ArchivePage);
