import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
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

/** What cannot be read again: Escape alone does not close it. */
export function SecretDialog({ title, label, secret, children, tools, onClose }: SecretDialogProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog title={title} onClose={onClose} onEscape={() => setAsking(true)}>
      <p>
        {children} <strong>It is shown only now</strong>: keep it in a safe place.
      </p>
      <CopyField label={label} value={secret} />
      {isAsking && (
        <p class="problem" role="alert">
          Have you kept it? Once this is closed, nobody can show it again.
        </p>
      )}
      <div class="row end">
        {tools}
        <button type="button" class="primary" onClick={onClose}>
          I have kept it
        </button>
      </div>
    </Dialog>
  );
}
