import { Modal, Stack } from '@mantine/core';
import { createContext, useEffect, useState, type KeyboardEvent, type ReactNode } from 'react';

export interface DialogProps {
  title: string;
  children: ReactNode;
  onClose(): void;
  /** Called when the user presses Escape or clicks outside of the dialog; closes the dialog by default. */
  onEscape?: (() => void) | undefined;
  size?: 'md' | 'lg' | 'xl';
}

/** Context with a function that closes the dialog around a component. */
export const CloseDialog = createContext<() => void>(() => undefined);

/** Modal dialog, which is mounted while it is open. Escape closes only the topmost of several dialogs. */
export function Dialog({ title, children, onClose, onEscape = onClose, size = 'md' }: DialogProps) {
  useReturnedFocus();
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || event.defaultPrevented) return;
    // Stop the key event: React would pass it on to an outer dialog that contains this dialog.
    event.stopPropagation();
    event.preventDefault();
    onEscape();
  };
  return (
    <Modal
      opened
      centered
      title={title}
      size={size}
      closeOnEscape={false}
      withCloseButton={onEscape === onClose}
      onClose={onEscape}
      onKeyDown={handleKey}
    >
      <Stack>
        <CloseDialog.Provider value={onClose}>{children}</CloseDialog.Provider>
      </Stack>
    </Modal>
  );
}

/** Returns the focus to the element that had it before the dialog was mounted. */
function useReturnedFocus(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}
