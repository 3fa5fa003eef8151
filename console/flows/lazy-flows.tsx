import { lazily } from '../ui/lazily.tsx';

const load = () => import('./flow-pages.tsx');

/** What people see of flows comes with a script of its own. */
export const FlowsTab = lazily(async () => (await load()).FlowsTab);
export const FlowPage = lazily(async () => (await load()).FlowPage);
