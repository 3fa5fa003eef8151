import { lazily } from '../ui/lazily.tsx';

/** Charts come with a script of their own. */
export const AnalyticsArea = lazily(async () => (await import('./analytics-area.tsx')).AnalyticsArea);
