import { buildHref } from '../router.ts';
import { Tabs } from '../components/page/tabs.tsx';

export function WebhookTabs({ current }: { current: 'endpoints' | 'deliveries' }) {
  return (
    <Tabs
      label="Webhook pages"
      current={current}
      tabs={[
        { id: 'endpoints', name: 'Endpoints', href: buildHref(['webhooks']) },
        { id: 'deliveries', name: 'Deliveries', href: buildHref(['webhooks', 'deliveries']) },
      ]}
    />
  );
}
