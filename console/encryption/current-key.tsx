import { Group, Loader, Text } from '@mantine/core';
import type { Encryption } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../components/dialogs/confirm-button.tsx';
import { Facts } from '../components/lists/facts.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { Section } from '../components/page/section.tsx';
import { TextWithTimes } from '../components/text/text-with-times.tsx';
import { TimeText } from '../components/text/time-text.tsx';
import { modeNames, type EncryptionFacts } from './encryption-facts.ts';

export interface CurrentKeyProps {
  facts: EncryptionFacts;
  isOwner: boolean;
  onChanged(): void;
}

/** Shows the workspace's current encryption key and the progress of a conversion to another key. */
export function CurrentKey({ facts, isOwner, onChanged }: CurrentKeyProps) {
  const { mode, isSealing, keyCreatedAt, news } = facts;
  return (
    <Section title="Status">
      <Facts
        facts={[
          ['Encrypted with', getKeyName(facts)],
          ['Key created', keyCreatedAt === null ? null : <TimeText at={keyCreatedAt} />],
        ]}
      />
      {isSealing && (
        <Group role="status" gap="xs">
          <Loader size="xs" aria-label="Content is being converted" />
          <Text>Converting content in the background. Everything keeps working.</Text>
        </Group>
      )}
      {news.map((line) => (
        <Text key={line}>
          <TextWithTimes text={line} />
        </Text>
      ))}
      {isOwner && keyCreatedAt !== null && (
        <Rotation isTenants={mode === 'tenant'} isSealing={isSealing} onRotated={onChanged} />
      )}
    </Section>
  );
}

function getKeyName({ mode, keyCreatedAt }: EncryptionFacts): string {
  if (mode === 'platform' && keyCreatedAt === null) return 'Platform-managed keys (secrets only)';
  return modeNames[mode];
}

interface RotationProps {
  isTenants: boolean;
  isSealing: boolean;
  onRotated(): void;
}

function Rotation({ isTenants, isSealing, onRotated }: RotationProps) {
  const { client } = useSession();
  const rotate = async (): Promise<void> => {
    await client.post<Encryption>('/api/encryption/rotate');
    showConfirmation('Key rotated. The previous key is being retired.');
    onRotated();
  };
  return (
    <Group>
      <ConfirmButton
        question="Rotate the workspace key?"
        consequence={`New content uses the new key, and the current one is retired in the background. Everything stays readable.${isTenants ? ' The key in your KMS stays the same: rotate it there.' : ''}`}
        isDisabled={isSealing}
        onConfirm={rotate}
      >
        Rotate key
      </ConfirmButton>
      {isSealing && <span className="hint">You can rotate the key after the conversion.</span>}
    </Group>
  );
}
