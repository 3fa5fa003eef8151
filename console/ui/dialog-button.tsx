import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { nameOf } from './name-of.ts';

export interface DialogButtonProps {
  /** What the button says, and the dialog is called. */
  name: string;
  /** What the dialog is called where that is something else. */
  title?: string;
  kind?: 'primary' | 'danger';
  /** What it is about, where the words on the button do not tell. */
  about?: string;
  children(close: () => void): ComponentChildren;
}

/** A button that asks for more in a dialog. */
export function DialogButton({ name, title = name, kind, about, children }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" class={kind} aria-label={nameOf(name, about)} onClick={() => setOpen(true)}>
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
