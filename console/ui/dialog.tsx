import { createContext, type ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose(): void;
  /** Called when the user presses Escape; closes the dialog by default. */
  onEscape?: (() => void) | undefined;
}

/** Context with a function that closes the dialog around a component. */
export const CloseDialog = createContext<() => void>(() => undefined);

/**
 * Modal dialog. The browser keeps the focus inside, and restores it afterwards. The dialog handles Escape
 * itself: the browser's close event comes later, when a repeated key press could already have activated the
 * focused button again.
 */
export function Dialog({ title, children, onClose, onEscape = onClose }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  const handleKey = (event: KeyboardEvent): void => {
    // Stop the key press, so that it closes only the topmost of several dialogs.
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    onEscape();
  };
  const handleClose = (): void => {
    // Ignore the close event if the dialog has been unmounted: the event comes late.
    if (dialog.current !== null) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={handleClose} onKeyDown={handleKey}>
      <h2 id={id}>{title}</h2>
      <CloseDialog.Provider value={onClose}>{children}</CloseDialog.Provider>
    </dialog>
  );
}
