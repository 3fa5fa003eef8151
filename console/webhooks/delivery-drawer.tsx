import { Anchor, Button, Drawer, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { withQuery } from '../client/paths.ts';
import type { Delivery, Page, Webhook } from '../client/types.ts';
import { Facts } from '../components/lists/facts.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { Status } from '../components/lists/status.tsx';
import { buildHref, goTo } from '../router.ts';
import { IconRefresh } from '../shell/icons.ts';
import { useApi } from '../state/use-api.ts';
import { AttemptList } from './attempt-list.tsx';
import { toHref } from './delivery-table.tsx';
import { useWorkflowLink } from '../session/use-workflow-link.tsx';
import { useReplay } from './use-replay.ts';
import { deliveryWords } from './webhook-words.ts';
import { DELIVERIES_URL } from './deliveries-url.ts';

const UNFINISHED_EVERY_MS = 1000;

export interface DeliveryDrawerProps {
  /** Id of the webhook delivery; undefined while the drawer is closed. */
  id: string | undefined;
  filters: Record<string, string>;
  endpoints: readonly Webhook[];
  mayWrite: boolean;
  /** Called with the loaded webhook delivery, to update the list behind the drawer. */
  onChange(delivery: Delivery): void;
}

/** Shows one webhook delivery: its attempts, the request body, and the last response. */
export function DeliveryDrawer({ id, ...props }: DeliveryDrawerProps) {
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => goTo(buildHref(['webhooks', 'deliveries'], props.filters))}
      position="right"
      size={560}
      title="Delivery"
    >
      {id !== undefined && <LoadedDelivery key={id} id={id} {...props} />}
    </Drawer>
  );
}

function LoadedDelivery({ id, onChange, ...props }: DeliveryDrawerProps & { id: string }) {
  const deliveries = useApi<Page<Delivery>>(withQuery(DELIVERIES_URL, { id }), {
    everyMs: (page) => {
      const status = page?.items[0]?.status;
      return (status === 'pending' || status === 'retrying') && UNFINISHED_EVERY_MS;
    },
  });
  const current = deliveries.data?.items[0];
  useEffect(() => {
    if (current !== undefined) onChange(current);
  }, [current]);
  return (
    <LoadedView loaded={deliveries}>
      {({ items: [delivery] }) =>
        delivery === undefined ? (
          <Text>Delivery not found. Logs are kept for 30 days.</Text>
        ) : (
          <DeliveryDetails delivery={delivery} {...props} />
        )
      }
    </LoadedView>
  );
}

type DeliveryDetailsProps = Omit<DeliveryDrawerProps, 'id' | 'onChange'> & { delivery: Delivery };

function DeliveryDetails({ delivery, filters, endpoints, mayWrite }: DeliveryDetailsProps) {
  const { replay_of_id: originalId, replayed_as_id: replayId } = delivery;
  const replay = useReplay(filters);
  // The retries of a delivery run in a Temporal workflow, which begins after the first attempt has failed.
  const hasWorkflow = delivery.attempts > 1 || (delivery.attempts === 1 && delivery.status !== 'delivered');
  const workflow = useWorkflowLink('delivery', delivery.id);
  const [tone, name] = deliveryWords[delivery.status];
  const linkTo = (id: string, text: string) => (
    <Anchor inherit href={toHref(id, filters)}>
      {text}
    </Anchor>
  );
  return (
    <section className="detail-stack" data-id={delivery.id}>
      <header className="detail-head">
        <Title order={3} aria-live="polite">
          {delivery.event} <Status tone={tone}>{name}</Status>
        </Title>
        {mayWrite && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={16} />}
            aria-label={`Replay ${delivery.event}`}
            aria-disabled={replay.isBusy || delivery.attempts === 0}
            onClick={() => {
              if (delivery.attempts > 0) replay.run(delivery);
            }}
          >
            Replay
          </Button>
        )}
      </header>
      <Facts
        facts={[
          ['Reason', delivery.reason],
          [
            'Next attempt',
            delivery.next_attempt_at && <RelativeTime key="next" at={delivery.next_attempt_at} />,
          ],
          ['Created', <RelativeTime key="created" at={delivery.created_at} />],
          ['Delivered', delivery.delivered_at && <RelativeTime key="delivered" at={delivery.delivered_at} />],
          ['Endpoint', endpoints.find(({ id }) => id === delivery.webhook_id)?.url],
          ['Replay of', originalId && linkTo(originalId, 'Original delivery')],
          ['Replayed as', replayId && linkTo(replayId, 'Latest replay')],
          ['Workflow', hasWorkflow ? workflow : null],
          ['ID', <code key="id">{delivery.id}</code>],
        ]}
      />
      <Title order={3}>Attempts</Title>
      <AttemptList attempts={delivery.attempt_log} />
      <Title order={3}>Request payload</Title>
      <pre className="code-block" tabIndex={0}>
        {JSON.stringify(delivery.payload, null, 2)}
      </pre>
      <Title order={3}>Last response</Title>
      {delivery.response_body === null ? (
        <Text c="dimmed">None</Text>
      ) : (
        <pre className="code-block" tabIndex={0}>
          {delivery.response_body}
        </pre>
      )}
    </section>
  );
}
