import { Anchor } from '@mantine/core';
import type { Delivery, EventDescriptor, Webhook } from '../client/types.ts';
import { buildHref, goTo } from '../router.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { IconList } from '../shell/icons.ts';
import { Page } from '../components/page/page.tsx';
import { RefreshButton } from '../components/dialogs/refresh-button.tsx';
import { useApi } from '../state/use-api.ts';
import { useList } from '../state/use-list.ts';
import { usePermission } from '../session/use-permission.ts';
import { ListView } from '../components/lists/list-view.tsx';
import { DELIVERIES_URL } from './deliveries-url.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { FilterChip } from '../components/lists/filter-chip.tsx';
import { ReplayFailed } from './replay-failed.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';
import { deliveryWords } from './webhook-words.ts';

export interface DeliveriesPageProps {
  /** Id of the webhook delivery that is shown in detail; undefined if none is. */
  id: string | undefined;
  /** Filters of the list of webhook deliveries, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

const UNFINISHED_EVERY_MS = 3000;

const statuses = Object.entries(deliveryWords).map(([status, [, name]]) => [status, name] as const);

export function DeliveriesPage({ id, filters }: DeliveriesPageProps) {
  const mayWrite = usePermission()('webhooks:write', 'admin');
  const deliveries = useList<Delivery>(DELIVERIES_URL, filters, { everyMs: getRefreshMs });
  const { data: endpoints = [] } = useApi<Webhook[]>('/api/webhooks');
  return (
    <Page
      title="Webhooks"
      tools={
        <>
          {mayWrite && <ReplayFailed filters={filters} />}
          <RefreshButton onRefresh={deliveries.reload} />
        </>
      }
      tabs={<WebhookTabs current="deliveries" />}
    >
      <DeliveryFilters filters={filters} endpoints={endpoints} />
      <ListView
        list={deliveries}
        noun="delivery"
        plural="deliveries"
        empty={<NoDeliveries />}
        filters={filters}
        clearHref={buildHref(['webhooks', 'deliveries'])}
      >
        {(rows) => (
          <DeliveryTable deliveries={rows} endpoints={endpoints} filters={filters} mayWrite={mayWrite} />
        )}
      </ListView>
      <DeliveryDrawer
        id={id}
        filters={filters}
        endpoints={endpoints}
        mayWrite={mayWrite}
        onChange={deliveries.replace}
      />
    </Page>
  );
}

/**
 * Returns the milliseconds after which the webhook deliveries are loaded again; false if none of them is
 * waiting for an attempt.
 */
function getRefreshMs(deliveries: readonly Delivery[]): number | false {
  return (
    deliveries.some(({ status }) => status === 'pending' || status === 'retrying') && UNFINISHED_EVERY_MS
  );
}

function DeliveryFilters({ filters, endpoints }: { filters: Record<string, string>; endpoints: Webhook[] }) {
  const { data: events = [] } = useApi<EventDescriptor[]>('/api/webhooks/events');
  const filterBy = (name: string) => (value: string) =>
    goTo(buildHref(['webhooks', 'deliveries'], { ...filters, [name]: value }));
  return (
    <div className="filter-bar" role="group" aria-label="Filters">
      <FilterChip
        name="Status"
        value={filters['status'] ?? ''}
        options={statuses}
        onChange={filterBy('status')}
      />
      <FilterChip
        name="Endpoint"
        value={filters['webhook_id'] ?? ''}
        options={endpoints.map(({ id, url }) => [id, url] as const)}
        onChange={filterBy('webhook_id')}
      />
      <FilterChip
        name="Event"
        value={filters['event'] ?? ''}
        options={events.map(({ name }) => [name, name] as const)}
        onChange={filterBy('event')}
      />
    </div>
  );
}

function NoDeliveries() {
  return (
    <EmptyState
      icon={<IconList size={32} />}
      title="No deliveries yet"
      action={<Anchor href={buildHref(['webhooks'])}>View endpoints</Anchor>}
    >
      Events that Parley sends to your endpoints are listed here for 30 days.
    </EmptyState>
  );
}
