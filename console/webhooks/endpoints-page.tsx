import { Alert, Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import type { Webhook, WebhookTest } from '../client/types.ts';
import { DataTable, type DataColumn } from '../components/lists/data-table.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { Status } from '../components/lists/status.tsx';
import { buildHref, goTo } from '../router.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { IconPlus, IconWebhook } from '../shell/icons.ts';
import { Page } from '../components/page/page.tsx';
import { useApi } from '../state/use-api.ts';
import { usePermission } from '../session/use-permission.ts';
import { EndpointActions, type EndpointStep } from './endpoint-actions.tsx';
import { EndpointDialogs } from './endpoint-dialogs.tsx';
import { EndpointDrawer } from './endpoint-drawer.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';
import { healthWords } from './webhook-words.ts';

/** @param endpointId id of the webhook endpoint whose details are open; undefined if none are */
export function EndpointsPage({ endpointId }: { endpointId: string | undefined }) {
  const mayWrite = usePermission()('webhooks:write', 'admin');
  const endpoints = useApi<Webhook[]>('/api/webhooks');
  const [step, setStep] = useState<EndpointStep | null>(null);
  const [test, setTest] = useState<WebhookTest | null>(null);
  const opened = endpoints.data?.find(({ id }) => id === endpointId);
  const addButton = (
    <Button leftSection={<IconPlus />} onClick={() => setStep({ kind: 'add' })}>
      Add endpoint
    </Button>
  );
  const columns: DataColumn<Webhook>[] = [
    {
      name: 'Endpoint',
      sortBy: ({ url }) => url,
      render: ({ id, url, description }) => (
        <>
          <a className="cell-link" href={buildHref(['webhooks'], { endpoint: id })}>
            {url}
          </a>
          {description !== null && <span className="cell-note">{description}</span>}
        </>
      ),
    },
    {
      name: 'Status',
      sortBy: ({ health }) => health,
      render: ({ health }) => {
        const [tone, name] = healthWords[health];
        return <Status tone={tone}>{name}</Status>;
      },
    },
    {
      name: 'Events',
      kind: 'number',
      sortBy: ({ events }) => events.length,
      render: ({ events }) => events.length,
    },
    {
      name: 'Deliveries',
      kind: 'number',
      sortBy: ({ delivery_count: count }) => count,
      render: ({ delivery_count: count, failure_count: failed }) => (
        <a className="cell-plain" href={buildHref(['webhooks', 'deliveries'])}>
          {failed === 0 ? count : `${count} (${failed} failed)`}
        </a>
      ),
    },
    {
      name: 'Last success',
      sortBy: ({ last_success_at: at }) => at ?? '',
      render: ({ last_success_at: at }) => <RelativeTime at={at} />,
    },
    ...(mayWrite
      ? [
          {
            name: 'Actions',
            kind: 'actions' as const,
            render: (endpoint: Webhook) => (
              <EndpointActions endpoint={endpoint} onStep={setStep} onTested={setTest} />
            ),
          },
        ]
      : []),
  ];
  return (
    <Page
      title="Webhooks"
      tools={mayWrite && endpoints.data?.length !== 0 && addButton}
      tabs={<WebhookTabs current="endpoints" />}
    >
      {test !== null && <TestOutcome test={test} onClose={() => setTest(null)} />}
      <LoadedView loaded={endpoints}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState
              icon={<IconWebhook size={32} />}
              title="No endpoints yet"
              action={
                <>
                  {mayWrite && addButton}
                  <Anchor href="/docs/guides/webhooks" target="_blank">
                    Read the guide
                  </Anchor>
                </>
              }
            >
              Add an endpoint to receive events.
            </EmptyState>
          ) : (
            <DataTable label="Endpoints" rows={all} columns={columns} />
          )
        }
      </LoadedView>
      <EndpointDrawer
        endpoint={opened}
        mayWrite={mayWrite}
        onStep={setStep}
        onClose={() => goTo(buildHref(['webhooks']))}
      />
      <EndpointDialogs step={step} onClose={() => setStep(null)} />
    </Page>
  );
}

function TestOutcome({ test, onClose }: { test: WebhookTest; onClose(): void }) {
  return (
    <Alert
      role="status"
      color={test.ok ? 'green' : 'red'}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onClose}
    >
      {test.ok ? `The endpoint responded with ${test.status_code} in ${test.duration_ms} ms.` : test.error}{' '}
      <Anchor inherit href={buildHref(['webhooks', 'deliveries', test.delivery_id])}>
        View delivery
      </Anchor>
    </Alert>
  );
}
