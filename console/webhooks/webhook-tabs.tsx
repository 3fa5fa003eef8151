/** @jsxImportSource react */
import { buildHref } from '../router.ts';
import { PageTabs } from '../shell/page-frame.tsx';

export function WebhookTabs({ current }: { current: 'endpoints' | 'deliveries' }) {
  return (
    <PageTabs
      label="Parts of the webhooks"
      current={current}
      tabs={[
        { id: 'endpoints', name: 'Endpoints', href: buildHref(['webhooks']) },
        { id: 'deliveries', name: 'Deliveries', href: buildHref(['webhooks', 'deliveries']) },
      ]}
    />
  );
}
