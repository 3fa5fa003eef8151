import { lazyComponent } from '../ui/lazy-component.tsx';

/** Loads the page as a separate script, since few users open it. */
export const ArchivePage = lazyComponent(async () => (await import('./archive-page.tsx')).ArchivePage);
