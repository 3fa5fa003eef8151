import type { EventDescriptor, Webhook } from '../client/types.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { Page } from '../ui/page.tsx';
import { EndpointCard } from './endpoint-card.tsx';
import { NewEndpoint } from './new-endpoint.tsx';
import { WebhookTabs } from './webhook-tabs.tsx';

export function WebhooksPage() {
  const { client } = useSession();
  const mayWrite = usePermission()('webhooks:write', 'admin');
  const endpoints = useLoad((signal) => client.get<Webhook[]>('/api/webhooks', signal), [client]);
  const events = useLoad((signal) => client.get<EventDescriptor[]>('/api/webhooks/events', signal), [client]);
  return (
    <Page title="Webhooks">
      <WebhookTabs current="endpoints" />
      <div class="row">
        {mayWrite && <NewEndpoint events={events} onCreated={endpoints.reload} />}
        <button type="button" onClick={endpoints.reload}>
          Refresh
        </button>
      </div>
      <LoadedView loaded={endpoints}>
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
