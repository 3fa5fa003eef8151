import type { Encryption } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { Facts } from '../components/facts.tsx';
import { showConfirmation } from '../components/notices.ts';
import { Section } from '../components/section.tsx';
import { TextWithTimes } from '../components/text-with-times.tsx';
import { TimeText } from '../components/time-text.tsx';
import { modeNames, type EncryptionFacts } from './encryption-facts.ts';

export interface PresentKeyProps {
  facts: EncryptionFacts;
  isOwner: boolean;
  onChanged(): void;
}

/** Shows the current key of the workspace and the progress of a conversion. */
export function PresentKey({ facts, isOwner, onChanged }: PresentKeyProps) {
  const { mode, isSealing, keyCreatedAt, news } = facts;
  return (
    <Section title="Now">
      <Facts
        facts={[
          ['Sealed with', getKeyName(facts)],
          ['Key made', keyCreatedAt === null ? null : <TimeText at={keyCreatedAt} />],
        ]}
      />
      {isSealing && (
        <div role="status">
          <progress aria-label="Content is being converted" />
          <p>Content is being converted in the background. Everything goes on meanwhile.</p>
        </div>
      )}
      {news.map((line) => (
        <p key={line}>
          <TextWithTimes text={line} />
        </p>
      ))}
      {isOwner && keyCreatedAt !== null && (
        <Rotation isTenants={mode === 'tenant'} isSealing={isSealing} onRotated={onChanged} />
      )}
    </Section>
  );
}

function getKeyName({ mode, keyCreatedAt }: EncryptionFacts): string {
  if (mode === 'platform' && keyCreatedAt === null) return 'no key: it is readable';
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
    showConfirmation('There is a new key. The former one is being retired.');
    onRotated();
  };
  return (
    <div className="row">
      <ConfirmButton
        question="Make a new key of the workspace?"
        consequence={`What comes next is sealed under it, and the present one is retired in the background. Nothing becomes unreadable.${isTenants ? ' The key in your key service stays the same: rotate that one there.' : ''}`}
        isDisabled={isSealing}
        onConfirm={rotate}
      >
        Make a new key
      </ConfirmButton>
      {isSealing && <span className="hint">The key can be replaced once this is done.</span>}
    </div>
  );
}
