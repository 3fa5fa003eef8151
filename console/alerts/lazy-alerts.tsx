import { lazyComponent } from '../ui/lazy-component.tsx';

/** Loads the alerts pages as a separate script. */
export const AlertsPage = lazyComponent(async () => (await import('./alerts-pages.tsx')).AlertsPage);
