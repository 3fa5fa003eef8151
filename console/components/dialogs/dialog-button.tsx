import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { toAccessibleName } from '../text/accessible-name.ts';
import { buttonKinds } from './action-button.tsx';
import { Dialog } from './dialog.tsx';

export interface DialogButtonProps {
  /** Label of the button, which is also the title of a dialog without `title`. */
  name: string;
  /** Title of the dialog; the label of the button by default. */
  title?: string;
  kind?: 'primary' | 'danger' | 'default';
  /**
   * Name of the thing that the dialog is about, added to the button's accessible name. Undefined if the label
   * names it.
   */
  about?: string | undefined;
  icon?: ReactNode;
  children(close: () => void): ReactNode;
}

/** Button that opens a dialog. */
export function DialogButton({
  name,
  title = name,
  kind = 'default',
  about,
  icon,
  children,
}: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        {...buttonKinds[kind]}
        leftSection={icon}
        aria-label={toAccessibleName(name, about)}
        onClick={() => setOpen(true)}
      >
        {name}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close} size="lg">
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
