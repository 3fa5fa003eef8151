import { lazyComponent } from '../ui/lazy-component.tsx';

/** Loads the charts as a separate script. */
export const UsageArea = lazyComponent(async () => (await import('./usage-area.tsx')).UsageArea);
