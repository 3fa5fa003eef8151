import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { toAccessibleName } from './accessible-name.ts';

export interface DialogButtonProps {
  /** Label of the button, and title of the dialog by default. */
  name: string;
  /** Title of the dialog, if it differs. */
  title?: string;
  kind?: 'primary' | 'danger';
  /** Object of the action, if the label does not name it. */
  about?: string;
  children(close: () => void): ComponentChildren;
}

/** Button that opens a dialog. */
export function DialogButton({ name, title = name, kind, about, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button
        type="button"
        class={kind}
        aria-label={toAccessibleName(name, about)}
        onClick={() => setOpen(true)}
      >
        {name}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
