import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { withQuery } from '../client/paths.ts';
import type { Delivery, EventDescriptor, Page as Listing, Webhook } from '../client/types.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { buildHref, goTo } from '../router.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { IconList, IconRefresh } from '../shell/icons.ts';
import { Page } from '../components/page.tsx';
import { RowSkeletons } from '../components/page-skeleton.tsx';
import { getProblem, useApi } from '../state/queries.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { formatCount } from '../components/format-count.ts';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { FilterChip } from '../components/filter-chip.tsx';
import { ReplayFailed } from './replay-failed.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';
import { deliveryWords } from './webhook-words.ts';

export interface DeliveriesPageProps {
  /** Id of the delivery that is shown in detail. */
  id: string | undefined;
  /** Filters of the list, with the names of the API's query parameters. */
  filters: Record<string, string>;
}

const PAGE_SIZE = 50;
const UNFINISHED_EVERY_MS = 3000;

const statuses = Object.entries(deliveryWords).map(([status, [, name]]) => [status, name] as const);

export function DeliveriesPage({ id, filters }: DeliveriesPageProps) {
  const mayWrite = usePermission()('webhooks:write', 'admin');
  const deliveries = useDeliveries(filters);
  const { data: endpoints = [] } = useApi<Webhook[]>('/api/webhooks');
  const rows = deliveries.data?.pages.flatMap(({ items }) => items);
  const total = deliveries.data?.pages[0]?.total ?? 0;
  const problem = getProblem(deliveries);
  return (
    <Page
      title="Deliveries"
      tools={
        <>
          {mayWrite && <ReplayFailed filters={filters} />}
          <Tooltip label="Refresh">
            <ActionIcon
              variant="default"
              size={36}
              aria-label="Refresh"
              onClick={() => void deliveries.refetch()}
            >
              <IconRefresh />
            </ActionIcon>
          </Tooltip>
        </>
      }
      tabs={<WebhookTabs current="deliveries" />}
    >
      <DeliveryFilters filters={filters} endpoints={endpoints} />
      <ProblemMessage problem={problem} onRetry={() => void deliveries.refetch()} />
      {deliveries.isPending && problem === null && <RowSkeletons />}
      {rows?.length === 0 && <NoDeliveries isFiltered={Object.keys(filters).length > 0} />}
      {rows !== undefined && rows.length > 0 && (
        <>
          <DeliveryTable deliveries={rows} endpoints={endpoints} filters={filters} mayWrite={mayWrite} />
          <div className="list-foot">
            <span>
              {rows.length} of {formatCount(Math.max(total, rows.length), 'delivery', 'deliveries')}
            </span>
            {deliveries.hasNextPage && (
              <Button
                variant="default"
                size="xs"
                loading={deliveries.isFetchingNextPage}
                onClick={() => void deliveries.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </div>
        </>
      )}
      <DeliveryDrawer id={id} filters={filters} endpoints={endpoints} mayWrite={mayWrite} />
    </Page>
  );
}

function useDeliveries(filters: Record<string, string>) {
  const { client } = useSession();
  const url = withQuery('/api/webhooks/deliveries', { ...filters, page_size: PAGE_SIZE });
  return useInfiniteQuery({
    queryKey: ['deliveries', url],
    queryFn: ({ pageParam, signal }) =>
      client.get<Listing<Delivery>>(pageParam === null ? url : withQuery(url, { cursor: pageParam }), signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      const [first, ...others] = state.data?.pages ?? [];
      const isUnfinished = first?.items.some(({ status }) => status === 'pending' || status === 'retrying');
      return isUnfinished && others.length === 0 ? UNFINISHED_EVERY_MS : false;
    },
  });
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

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState
      icon={<IconList size={32} />}
      title="No results"
      action={<Anchor href={buildHref(['webhooks', 'deliveries'])}>Clear filters</Anchor>}
    >
      No deliveries match your filters.
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconList size={32} />}
      title="No deliveries yet"
      action={<Anchor href={buildHref(['webhooks'])}>View endpoints</Anchor>}
    >
      Events that Parley sends to your endpoints are listed here for 30 days.
    </EmptyState>
  );
}
