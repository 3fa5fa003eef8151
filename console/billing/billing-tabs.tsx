import { buildHref } from '../router.ts';
import { Tabs } from '../components/page/tabs.tsx';

export function BillingTabs({ current }: { current: 'plans' | 'receipts' | 'profile' }) {
  return (
    <Tabs
      label="Billing pages"
      current={current}
      tabs={[
        { id: 'plans', name: 'Plan', href: buildHref(['billing']) },
        { id: 'receipts', name: 'Receipts', href: buildHref(['billing', 'receipts']) },
        { id: 'profile', name: 'Billing details', href: buildHref(['billing', 'profile']) },
      ]}
    />
  );
}
