import { lazyComponent } from '../ui/lazy-component.tsx';

/** Loads the billing pages for admins as a separate script. */
export const BillingArea = lazyComponent(async () => (await import('./billing-area.tsx')).BillingArea);
