import { lazily } from '../ui/lazily.tsx';

/** Loads the billing pages for admins as a separate script. */
export const BillingArea = lazily(async () => (await import('./billing-area.tsx')).BillingArea);
