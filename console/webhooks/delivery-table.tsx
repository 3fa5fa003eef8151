import type { Delivery } from '../client/types.ts';
import { hrefOf } from '../router.ts';
import { Badge } from '../ui/badge.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { ReplayButton } from './replay-button.tsx';

export interface DeliveryTableProps {
  deliveries: readonly Delivery[];
  filters: Record<string, string>;
}

export function DeliveryTable({ deliveries, filters }: DeliveryTableProps) {
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th>Event</th>
            <th>Status</th>
            <th>Answer</th>
            <th>Attempts</th>
            <th>Reason</th>
            <th>Created</th>
            <th>
              <span class="unseen">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id} data-id={delivery.id}>
              <td>
                <a href={hrefOf(['webhooks', 'deliveries', delivery.id], filters)}>{delivery.event}</a>
                {delivery.replay_of_id !== null && <span class="badge quiet">replay</span>}
              </td>
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
        </tbody>
      </table>
    </div>
  );
}
