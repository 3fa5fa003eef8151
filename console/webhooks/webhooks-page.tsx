import { useState } from 'preact/hooks';
import type { EventDescriptor, Webhook, WebhookCreated } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Page } from '../ui/page.tsx';
import { EndpointCard } from './endpoint-card.tsx';
import { EndpointForm } from './endpoint-form.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';

export function WebhooksPage() {
  const { client } = useSession();
  const endpoints = useLoad((signal) => client.get<Webhook[]>('/api/webhooks', signal), [client]);
  const events = useLoad((signal) => client.get<EventDescriptor[]>('/api/webhooks/events', signal), [client]);
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<WebhookCreated | null>(null);
  return (
    <Page title="Webhooks">
      <WebhookTabs current="endpoints" />
      <div class="row">
        <button type="button" class="primary" onClick={() => setAdding(true)}>
          New endpoint
        </button>
        <button type="button" onClick={endpoints.reload}>
          Refresh
        </button>
      </div>
      {isAdding && (
        <Dialog title="New endpoint" onClose={() => setAdding(false)}>
          <LoadedView of={events}>
            {(known) => (
              <EndpointForm
                endpoint={null}
                events={known}
                onCancel={() => setAdding(false)}
                onSave={async (changes) => {
                  const endpoint = await client.post<WebhookCreated>('/api/webhooks', changes);
                  setAdding(false);
                  setCreated(endpoint);
                  endpoints.reload();
                }}
              />
            )}
          </LoadedView>
        </Dialog>
      )}
      {created !== null && <SecretDialog secret={created.secret} onClose={() => setCreated(null)} />}
      <LoadedView of={endpoints}>
        {(all) =>
          all.length === 0 ? (
            <p class="empty">There are no endpoints yet. Events are sent to each one that you add.</p>
          ) : (
            <ul class="cards tall">
              {all.map((endpoint) => (
                <EndpointCard
                  key={endpoint.id}
                  endpoint={endpoint}
                  events={events}
                  onChange={endpoints.reload}
                />
              ))}
            </ul>
          )
        }
      </LoadedView>
    </Page>
  );
}
