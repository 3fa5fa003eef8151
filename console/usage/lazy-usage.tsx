import { lazily } from '../ui/lazily.tsx';

/** Loads the charts as a separate script. */
export const UsageArea = lazily(async () => (await import('./usage-area.tsx')).UsageArea);
