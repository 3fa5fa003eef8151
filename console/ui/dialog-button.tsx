import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { toAccessibleName } from './accessible-name.ts';

export interface DialogButtonProps {
  /** Label of the button, which is also the title of the dialog unless `title` is set. */
  name: string;
  /** Title of the dialog; the label of the button by default. */
  title?: string;
  kind?: 'primary' | 'danger';
  /**
   * Name of the thing that the dialog is about, added to the accessible name. Undefined if the label names
   * it.
   */
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
