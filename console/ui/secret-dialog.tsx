import type { ComponentChildren } from 'preact';
import { CopyField } from './copy-field.tsx';
import { Dialog } from './dialog.tsx';

export interface SecretDialogProps {
  title: string;
  /** What it is called where it is copied. */
  label: string;
  secret: string;
  /** What it is for. */
  children: ComponentChildren;
  /** Beside the button that closes it. */
  tools?: ComponentChildren;
  onClose(): void;
}

/** What cannot be read again. */
export function SecretDialog({ title, label, secret, children, tools, onClose }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        {children} <strong>It is shown only now</strong>: keep it in a safe place.
      </p>
      <CopyField label={label} value={secret} />
      <div class="row end">
        {tools}
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
