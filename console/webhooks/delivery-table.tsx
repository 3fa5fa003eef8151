import type { Delivery, Webhook } from '../client/types.ts';
import { buildHref } from '../router.ts';
import { Badge } from '../ui/badge.tsx';
import { Table } from '../ui/table.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { ReplayButton } from './replay-button.tsx';

export interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  /** All endpoints of the workspace, by which the table finds their URLs. */
  endpoints: readonly Webhook[];
  filters: Record<string, string>;
}

/** Lists deliveries. Shows their endpoint unless the list is filtered by one endpoint. */
export function DeliveryTable({ deliveries, endpoints, filters }: DeliveryTableProps) {
  const isOfAll = filters['webhook_id'] === undefined;
  const urls = new Map(endpoints.map(({ id, url }) => [id, url]));
  const columns = [
    'Event',
    ...(isOfAll ? ['Endpoint'] : []),
    'Status',
    'Answer',
    'Attempts',
    'Reason',
    'Created',
  ];
  return (
    <Table columns={columns} hasActions>
      {deliveries.map((delivery) => (
        <tr key={delivery.id} data-id={delivery.id}>
          <td>
            <a href={buildHref(['webhooks', 'deliveries', delivery.id], filters)}>{delivery.event}</a>{' '}
            {delivery.replay_of_id !== null && <span class="badge quiet">replay</span>}
            {delivery.replayed_as_id !== null && (
              <a
                class="badge quiet"
                href={buildHref(['webhooks', 'deliveries', delivery.replayed_as_id], filters)}
              >
                replayed
              </a>
            )}
          </td>
          {isOfAll && (
            <td class="cut" title={urls.get(delivery.webhook_id)}>
              {urls.get(delivery.webhook_id) ?? '–'}
            </td>
          )}
          <td>
            <Badge state={delivery.status} />
          </td>
          <td>{delivery.response_status ?? '–'}</td>
          <td>{delivery.attempts}</td>
          <td class="wide">{delivery.reason ?? '–'}</td>
          <td>
            <TimeText at={delivery.created_at} />
          </td>
          <td>
            <ReplayButton delivery={delivery} filters={filters} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
