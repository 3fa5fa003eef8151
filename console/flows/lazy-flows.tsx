import { lazyComponent } from '../ui/lazy-component.tsx';

const load = () => import('./flow-pages.tsx');

/** Loads the flow pages as a separate script. */
export const FlowsTab = lazyComponent(async () => (await load()).FlowsTab);
export const FlowPage = lazyComponent(async () => (await load()).FlowPage);
