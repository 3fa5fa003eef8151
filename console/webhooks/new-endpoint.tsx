import { useState } from 'preact/hooks';
import type { EventDescriptor, WebhookCreated } from '../client/types.ts';
import type { Loaded } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { EndpointForm, type EndpointChanges } from './endpoint-form.tsx';
import { SigningSecretDialog } from './signing-secret-dialog.tsx';

export interface NewEndpointProps {
  events: Loaded<EventDescriptor[]>;
  onCreated(): void;
}

export function NewEndpoint({ events, onCreated }: NewEndpointProps) {
  const { client } = useSession();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const create = async (changes: EndpointChanges): Promise<void> => {
    setSecret((await client.post<WebhookCreated>('/api/webhooks', changes)).secret);
    setAdding(false);
    onCreated();
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setAdding(true)}>
        New endpoint
      </button>
      {isAdding && (
        <Dialog title="New endpoint" onClose={() => setAdding(false)}>
          <LoadedView of={events}>
            {(known) => (
              <EndpointForm
                endpoint={null}
                events={known}
                onSave={create}
                onCancel={() => setAdding(false)}
              />
            )}
          </LoadedView>
        </Dialog>
      )}
      {secret !== null && <SigningSecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
