import { useState } from 'preact/hooks';
import { path } from '../client/paths.ts';
import type { RotatedSecret } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { SigningSecretDialog } from './signing-secret-dialog.tsx';

export function RotateSecret({ webhookId, onChange }: { webhookId: string; onChange(): void }) {
  const { client } = useSession();
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async (): Promise<void> => {
    const rotated = await client.post<RotatedSecret>(path`/api/webhooks/${webhookId}/rotate-secret`);
    setSecret(rotated.secret);
    onChange();
  };
  return (
    <>
      <ConfirmButton
        question="Replace the signing secret?"
        consequence="The present one stops at once: until the receiver knows the new one, it will refuse what is sent."
        onConfirm={rotate}
      >
        Rotate the secret
      </ConfirmButton>
      {secret !== null && <SigningSecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
