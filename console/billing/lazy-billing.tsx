import { lazily } from '../ui/lazily.tsx';

/** What admins see of billing comes with a script of its own. */
export const BillingArea = lazily(async () => (await import('./billing-area.tsx')).BillingArea);
