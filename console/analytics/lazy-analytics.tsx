import { lazyComponent } from '../ui/lazy-component.tsx';

/** Loads the charts as a separate script. */
export const AnalyticsArea = lazyComponent(async () => (await import('./analytics-area.tsx')).AnalyticsArea);
