import { hrefOf } from '../router.ts';
import { Tabs } from '../ui/tabs.tsx';

export function BillingTabs({ current }: { current: 'plans' | 'receipts' | 'profile' }) {
  return (
    <Tabs
      label="Parts of billing"
      current={current}
      tabs={[
        { id: 'plans', name: 'Plan', href: hrefOf(['billing']) },
        { id: 'receipts', name: 'Receipts', href: hrefOf(['billing', 'receipts']) },
        { id: 'profile', name: 'Addressee', href: hrefOf(['billing', 'profile']) },
      ]}
    />
  );
}
