import { path, withQuery } from '../client/paths.ts';
import type { Delivery, Page, Webhook } from '../client/types.ts';
import { useInterval } from '../hooks/use-interval.ts';
import { useLoad } from '../hooks/use-load.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { Badge } from '../ui/badge.tsx';
import { Facts } from '../ui/facts.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { AttemptTable } from './attempt-table.tsx';
import { ReplayButton } from './replay-button.tsx';

export interface DeliveryDetailProps {
  id: string;
  filters: Record<string, string>;
}

const UNFINISHED_EVERY_MS = 1000;

export function DeliveryDetail({ id, filters }: DeliveryDetailProps) {
  const { client } = useSession();
  const url = withQuery('/api/webhooks/deliveries', { id });
  const found = useLoad((signal) => client.get<Page<Delivery>>(url, signal), [client, url]);
  const delivery = found.data?.items[0];
  const isUnfinished = delivery?.status === 'pending' || delivery?.status === 'retrying';
  useInterval(found.reload, isUnfinished ? UNFINISHED_EVERY_MS : null);
  return (
    <>
      <a class="back" href={buildHref(['webhooks', 'deliveries'], filters)}>
        ← All deliveries
      </a>
      <LoadedView loaded={found}>
        {({ items: [shown] }) =>
          shown === undefined ? (
            <p class="empty">There is no such delivery; the log is kept for 30 days.</p>
          ) : (
            <Shown delivery={shown} filters={filters} />
          )
        }
      </LoadedView>
    </>
  );
}

function EndpointName({ delivery }: { delivery: Delivery }) {
  const { client } = useSession();
  const url = path`/api/webhooks/${delivery.webhook_id}`;
  const { data } = useLoad((signal) => client.get<Webhook>(url, signal), [client, url]);
  return (
    <>
      {data?.url} <Badge state={delivery.webhook_health} />
    </>
  );
}

function Shown({ delivery, filters }: { delivery: Delivery; filters: Record<string, string> }) {
  const { replay_of_id: originalId, replayed_as_id: replayId } = delivery;
  const linkTo = (id: string, name: string) => (
    <a href={buildHref(['webhooks', 'deliveries', id], filters)}>{name}</a>
  );
  return (
    <section class="card stack" data-id={delivery.id}>
      <h2 aria-live="polite">
        {delivery.event} <Badge state={delivery.status} />
      </h2>
      <Facts
        facts={[
          ['Reason', delivery.reason],
          ['Next attempt', delivery.next_attempt_at && <TimeText key="next" at={delivery.next_attempt_at} />],
          ['Created', <TimeText key="created" at={delivery.created_at} />],
          ['Delivered', delivery.delivered_at && <TimeText key="delivered" at={delivery.delivered_at} />],
          ['Endpoint', <EndpointName key="endpoint" delivery={delivery} />],
          ['Repeats', originalId && linkTo(originalId, 'an earlier one')],
          ['Replayed', replayId && linkTo(replayId, 'sent again as a newer one')],
          ['Id', <code key="id">{delivery.id}</code>],
        ]}
      />
      <div class="row">
        <ReplayButton delivery={delivery} filters={filters} />
      </div>
      <h3>Attempts</h3>
      <AttemptTable attempts={delivery.attempt_log} />
      <h3>What was sent</h3>
      <pre tabIndex={0}>{JSON.stringify(delivery.payload, null, 2)}</pre>
      <h3>What the receiver answered last</h3>
      {delivery.response_body === null ? (
        <p class="hint">Nothing.</p>
      ) : (
        <pre tabIndex={0}>{delivery.response_body}</pre>
      )}
    </section>
  );
}
