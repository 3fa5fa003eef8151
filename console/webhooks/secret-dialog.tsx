import { CopyField } from '../ui/copy-field.tsx';
import { Dialog } from '../ui/dialog.tsx';

export function SecretDialog({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <p>
        The receiver checks signatures with it. <strong>It is shown only now</strong>: keep it in a safe
        place.
      </p>
      <CopyField label="Secret" value={secret} />
      <div class="row end">
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
