import { lazily } from '../ui/lazily.tsx';

const load = () => import('./flow-pages.tsx');

/** Loads the flow pages as a separate script. */
export const FlowsTab = lazily(async () => (await load()).FlowsTab);
export const FlowPage = lazily(async () => (await load()).FlowPage);
