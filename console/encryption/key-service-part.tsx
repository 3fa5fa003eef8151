import { Group, Text } from '@mantine/core';
import type { KeyService, Org } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../components/dialogs/confirm-button.tsx';
import { DialogButton } from '../components/dialogs/dialog-button.tsx';
import { Facts } from '../components/lists/facts.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { Section } from '../components/page/section.tsx';
import { KeyServiceForm } from './key-service-form.tsx';
import { serviceFields, serviceNames } from './key-service-fields.ts';

export interface KeyServicePartProps {
  /** URL of the workspace in the API. */
  url: string;
  service: KeyService | null;
  /** Whether the workspace's current encryption key is in the key service. */
  isInUse: boolean;
  isOwner: boolean;
  onChanged(): void;
}

/**
 * Shows the key management service with the workspace's own encryption key, but never the service's
 * credentials.
 */
export function KeyServicePart({ url, service, isInUse, isOwner, onChanged }: KeyServicePartProps) {
  const label = service === null ? 'Configure KMS' : 'Replace KMS';
  return (
    <Section title="Key management service">
      {service === null ? (
        <Text>
          Not configured. If you configure your own KMS, it encrypts the workspace's keys with a key that
          never leaves the KMS.
        </Text>
      ) : (
        <ServiceFacts service={service} />
      )}
      {isOwner && (
        <Group>
          <DialogButton name={label}>
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
        </Group>
      )}
      {isInUse && isOwner && (
        <p className="hint">To remove the KMS, first switch to platform-managed keys.</p>
      )}
    </Section>
  );
}

function ServiceFacts({ service }: { service: KeyService }) {
  const serviceFacts = serviceFields[service.type].map(({ name, label, isSecret }) => {
    const value = isSecret ? 'Stored encrypted, never shown' : service[name as keyof KeyService];
    return [label, value ?? null] as const;
  });
  return <Facts facts={[['Type', serviceNames[service.type]], ...serviceFacts]} />;
}

function Removal({ url, onRemoved }: { url: string; onRemoved(): void }) {
  const { client } = useSession();
  const removeKeyService = async (): Promise<void> => {
    await client.patch<Org>(url, { settings: { key_service: null } });
    showConfirmation('KMS removed');
    onRemoved();
  };
  return (
    <ConfirmButton
      question="Remove the KMS?"
      consequence="No data is currently encrypted with the key in the KMS. Removing the KMS deletes its credentials. To use the KMS again, you must re-enter them."
      onConfirm={removeKeyService}
    >
      Remove KMS
    </ConfirmButton>
  );
}
