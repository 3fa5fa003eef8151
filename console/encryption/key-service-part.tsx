import type { KeyService, Org } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { DialogButton } from '../components/dialog-button.tsx';
import { Facts } from '../components/facts.tsx';
import { showConfirmation } from '../components/notices.ts';
import { Section } from '../components/section.tsx';
import { KeyServiceForm } from './key-service-form.tsx';
import { serviceFields, serviceNames } from './key-service-fields.ts';

export interface KeyServicePartProps {
  /** URL of the workspace in the API. */
  url: string;
  service: KeyService | null;
  /** Whether the current key of the workspace is in the key service. */
  isInUse: boolean;
  isOwner: boolean;
  onChanged(): void;
}

/** Shows the service that holds the workspace's own key. Its credentials are never shown. */
export function KeyServicePart({ url, service, isInUse, isOwner, onChanged }: KeyServicePartProps) {
  const name = service === null ? 'Set the key service' : 'Replace the key service';
  return (
    <Section title="Your key service">
      {service === null ? (
        <p>
          None is set. Your own key stays in a service of yours, which seals and opens the workspace’s keys
          with it.
        </p>
      ) : (
        <ServiceFacts service={service} />
      )}
      {isOwner && (
        <div className="row">
          <DialogButton name={name}>
            {(close) => (
              <KeyServiceForm
                url={url}
                service={service}
                onSaved={() => {
                  close();
                  onChanged();
                }}
              />
            )}
          </DialogButton>
          {service !== null && !isInUse && <Removal url={url} onRemoved={onChanged} />}
        </div>
      )}
      {isInUse && isOwner && (
        <p className="hint">It can be removed once the workspace is switched to the platform’s keys.</p>
      )}
    </Section>
  );
}

function ServiceFacts({ service }: { service: KeyService }) {
  const shown = serviceFields[service.type].map(({ name, label, isSecret }) => {
    const value = isSecret ? 'stored encrypted, never shown' : service[name as keyof KeyService];
    return [label, value ?? null] as const;
  });
  return <Facts facts={[['Kind', serviceNames[service.type]], ...shown]} />;
}

function Removal({ url, onRemoved }: { url: string; onRemoved(): void }) {
  const { client } = useSession();
  const removeKeyService = async (): Promise<void> => {
    await client.patch<Org>(url, { settings: { key_service: null } });
    showConfirmation('The key service is removed.');
    onRemoved();
  };
  return (
    <ConfirmButton
      question="Remove the key service?"
      consequence="Nothing is sealed with its key. What it is asked with is forgotten, and has to be entered again to use it."
      onConfirm={removeKeyService}
    >
      Remove the key service
    </ConfirmButton>
  );
}
