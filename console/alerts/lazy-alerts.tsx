import { lazily } from '../ui/lazily.tsx';

/** Loads the alerts pages as a separate script. */
export const AlertsPage = lazily(async () => (await import('./alerts-pages.tsx')).AlertsPage);
