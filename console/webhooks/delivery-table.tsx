import { Menu } from '@mantine/core';
import { useMemo } from 'react';
import type { Delivery, Webhook } from '../client/types.ts';
import { DataTable, type DataColumn } from '../components/lists/data-table.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { RowMenu } from '../components/dialogs/row-menu.tsx';
import { Status } from '../components/lists/status.tsx';
import { buildHref, goTo } from '../router.ts';
import { IconList, IconRefresh } from '../shell/icons.ts';
import { useReplay } from './use-replay.ts';
import { deliveryWords } from './webhook-words.ts';

export interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  /** All webhook endpoints of the workspace, for the URLs of the deliveries' endpoints. */
  endpoints: readonly Webhook[];
  filters: Record<string, string>;
  mayWrite: boolean;
}

/** Lists webhook deliveries. Shows their endpoints if the list is not filtered by one endpoint. */
export function DeliveryTable({ deliveries, endpoints, filters, mayWrite }: DeliveryTableProps) {
  const replay = useReplay(filters);
  const columns = useMemo(() => createColumns(endpoints, filters), [endpoints, JSON.stringify(filters)]);
  const actions: DataColumn<Delivery> = {
    name: 'Actions',
    kind: 'actions',
    render: (delivery) => (
      <RowMenu about={delivery.event}>
        <Menu.Item leftSection={<IconList />} onClick={() => goTo(toHref(delivery.id, filters))}>
          View details
        </Menu.Item>
        {mayWrite && (
          <Menu.Item
            leftSection={<IconRefresh />}
            disabled={delivery.attempts === 0}
            onClick={() => replay.run(delivery)}
          >
            Replay
          </Menu.Item>
        )}
      </RowMenu>
    ),
  };
  return <DataTable label="Deliveries" rows={deliveries} columns={[...columns, actions]} />;
}

export function toHref(id: string, filters: Record<string, string>): string {
  return buildHref(['webhooks', 'deliveries', id], filters);
}

function createColumns(
  endpoints: readonly Webhook[],
  filters: Record<string, string>,
): DataColumn<Delivery>[] {
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  const findUrl = ({ webhook_id: id }: Delivery): string => urls.get(id) ?? '–';
  return [
    {
      name: 'Event',
      sortBy: ({ event }) => event,
      render: ({ id, event, replay_of_id: original, replayed_as_id: replay }) => (
        <>
          <a className="cell-link" href={toHref(id, filters)}>
            {event}
          </a>
          {original !== null && <span className="tag">Replay</span>}
          {replay !== null && (
            <a className="tag" href={toHref(replay, filters)}>
              Replayed
            </a>
          )}
        </>
      ),
    },
    ...(filters['webhook_id'] === undefined
      ? [
          {
            name: 'Endpoint',
            sortBy: findUrl,
            render: (delivery: Delivery) => (
              <span className="cell-cut" title={findUrl(delivery)}>
                {findUrl(delivery)}
              </span>
            ),
          },
        ]
      : []),
    {
      name: 'Status',
      sortBy: ({ status }) => status,
      render: ({ status, reason }) => {
        const [tone, name] = deliveryWords[status];
        return (
          <>
            <Status tone={tone}>{name}</Status>
            {reason !== null && (
              <span className="cell-note cell-cut" title={reason}>
                {reason}
              </span>
            )}
          </>
        );
      },
    },
    {
      name: 'Response',
      kind: 'number',
      sortBy: ({ response_status: status }) => status ?? 0,
      render: ({ response_status: status }) => status ?? '–',
    },
    {
      name: 'Attempts',
      kind: 'number',
      sortBy: ({ attempts }) => attempts,
      render: ({ attempts }) => attempts,
    },
    {
      name: 'Created',
      sortBy: ({ created_at: at }) => at,
      render: ({ created_at: at }) => <RelativeTime at={at} />,
    },
  ];
}
