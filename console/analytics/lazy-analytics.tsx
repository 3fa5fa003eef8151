import { lazily } from '../ui/lazily.tsx';

/** Loads the charts as a separate script. */
export const AnalyticsArea = lazily(async () => (await import('./analytics-area.tsx')).AnalyticsArea);
