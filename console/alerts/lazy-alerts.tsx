import { lazily } from '../ui/lazily.tsx';

/** What people see of alerts comes with a script of its own. */
export const AlertsPage = lazily(async () => (await import('./alerts-pages.tsx')).AlertsPage);
