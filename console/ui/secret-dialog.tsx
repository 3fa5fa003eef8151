import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { CopyField } from './copy-field.tsx';
import { Dialog } from './dialog.tsx';

export interface SecretDialogProps {
  title: string;
  /** Label of the field that shows the secret. */
  label: string;
  secret: string;
  /** Text that says what the secret is for. */
  children: ComponentChildren;
  /** Further buttons next to the close button. */
  tools?: ComponentChildren;
  onClose(): void;
}

/**
 * Dialog that shows a secret, which cannot be shown again. Escape asks for confirmation before the dialog
 * closes.
 */
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
          Have you stored it? It cannot be shown again.
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
