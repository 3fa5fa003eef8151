import { lazily } from '../ui/lazily.tsx';

/** Charts come with a script of their own. */
export const UsageArea = lazily(async () => (await import('./usage-area.tsx')).UsageArea);
