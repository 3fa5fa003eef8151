import { hrefOf } from '../router.ts';
import { Tabs } from '../ui/tabs.tsx';

export function AnalyticsTabs({ current }: { current: 'overview' }) {
  return (
    <Tabs
      label="Parts of the analytics"
      current={current}
      tabs={[{ id: 'overview', name: 'Overview', href: hrefOf(['analytics']) }]}
    />
  );
}
