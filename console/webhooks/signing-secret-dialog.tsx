import { SecretDialog } from '../ui/secret-dialog.tsx';

export function SigningSecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <SecretDialog title="Signing secret" label="Secret" secret={secret} onClose={onClose}>
      The receiver checks signatures with it.
    </SecretDialog>
  );
}
