import { useState } from 'preact/hooks';
import type { EventDescriptor, WebhookCreated } from '../client/types.ts';
import type { Loaded } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { DialogButton } from '../ui/dialog-button.tsx';
import { LoadedView } from '../ui/loaded-view.tsx';
import { EndpointForm, type EndpointChanges } from './endpoint-form.tsx';
import { SigningSecretDialog } from './signing-secret-dialog.tsx';

export interface NewEndpointProps {
  events: Loaded<EventDescriptor[]>;
  onCreated(): void;
}

export function NewEndpoint({ events, onCreated }: NewEndpointProps) {
  const { client, me } = useSession();
  const [secret, setSecret] = useState<string | null>(null);
  const createEndpoint = async (changes: EndpointChanges): Promise<void> => {
    setSecret((await client.post<WebhookCreated>('/api/webhooks', changes)).secret);
    onCreated();
  };
  return (
    <>
      <DialogButton name="New endpoint" kind="primary">
        {(close) => (
          <LoadedView loaded={events}>
            {(known) => (
              <EndpointForm
                form={`new endpoint/${me.data?.organization?.id}`}
                endpoint={null}
                events={known}
                onSave={(changes) => createEndpoint(changes).then(close)}
                onCancel={close}
              />
            )}
          </LoadedView>
        )}
      </DialogButton>
      {secret !== null && <SigningSecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
