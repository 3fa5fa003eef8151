import type { Delivery, EventDescriptor, Webhook } from '../client/types.ts';
import { useInterval } from '../hooks/use-interval.ts';
import { useLoad } from '../hooks/use-load.ts';
import { usePages } from '../hooks/use-pages.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { SelectField } from '../ui/fields.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import { Page } from '../ui/page.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';

export interface DeliveriesPageProps {
  /** Id of the delivery that is shown in detail. */
  id: string | undefined;
  /** Filters of the list, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

const statuses = [
  ['', 'Any status'],
  ['pending', 'Pending'],
  ['retrying', 'Retrying'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const;

const UNFINISHED_EVERY_MS = 3000;

export function DeliveriesPage({ id, filters }: DeliveriesPageProps) {
  return (
    <Page title="Deliveries">
      <WebhookTabs current="deliveries" />
      {id === undefined ? (
        <DeliveryLog filters={filters} />
      ) : (
        <DeliveryDetail key={id} id={id} filters={filters} />
      )}
    </Page>
  );
}

function DeliveryLog({ filters }: { filters: Record<string, string> }) {
  const { client } = useSession();
  const pages = usePages<Delivery>(client, '/api/webhooks/deliveries', filters);
  const { data: endpoints = [] } = useLoad(
    (signal) => client.get<Webhook[]>('/api/webhooks', signal),
    [client],
  );
  const isFirstPage = pages.data !== undefined && pages.data.items.length <= 20;
  const isUnfinished = pages.data?.items.some(({ status }) => status === 'pending' || status === 'retrying');
  useInterval(pages.reload, isFirstPage && isUnfinished ? UNFINISHED_EVERY_MS : null);
  return (
    <>
      <DeliveryFilters filters={filters} endpoints={endpoints} onRefresh={pages.reload} />
      <LoadedView loaded={pages}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="empty">
              {Object.keys(filters).length === 0
                ? 'Nothing has been sent in the last 30 days.'
                : 'No delivery fits these filters.'}
            </p>
          ) : (
            <DeliveryTable deliveries={items} endpoints={endpoints} filters={filters} />
          )
        }
      </LoadedView>
      <MoreButton pages={pages} noun="delivery" plural="deliveries" />
    </>
  );
}

interface DeliveryFiltersProps {
  filters: Record<string, string>;
  endpoints: readonly Webhook[];
  onRefresh(): void;
}

function DeliveryFilters({ filters, endpoints, onRefresh }: DeliveryFiltersProps) {
  const { client } = useSession();
  const events = useLoad((signal) => client.get<EventDescriptor[]>('/api/webhooks/events', signal), [client]);
  const filterBy = (name: string, value: string) =>
    goTo(buildHref(['webhooks', 'deliveries'], { ...filters, [name]: value }));
  return (
    <div class="filters">
      <SelectField
        label="Status"
        value={filters['status'] ?? ''}
        options={statuses}
        onChange={(status) => filterBy('status', status)}
      />
      <SelectField
        label="Endpoint"
        value={filters['webhook_id'] ?? ''}
        options={[['', 'All endpoints'], ...endpoints.map(({ id, url }) => [id, url] as const)]}
        onChange={(webhookId) => filterBy('webhook_id', webhookId)}
      />
      <SelectField
        label="Event"
        value={filters['event'] ?? ''}
        options={[['', 'All events'], ...(events.data ?? []).map(({ name }) => [name, name] as const)]}
        onChange={(event) => filterBy('event', event)}
      />
      <button type="button" onClick={onRefresh}>
        Refresh
      </button>
    </div>
  );
}
