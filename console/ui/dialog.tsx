import { createContext, type ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose(): void;
  /** Called instead of closing when the user presses Escape. */
  onEscape?: (() => void) | undefined;
}

/** Closes the surrounding dialog. */
export const CloseDialog = createContext<() => void>(() => undefined);

/**
 * Modal dialog. The browser traps the focus and restores it on closing. Escape is handled on keydown: the browser's
 * close event comes a frame later, when the user may already have pressed the focused button again.
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
    // Close only the topmost dialog.
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    onEscape();
  };
  const handleClose = (): void => {
    // The close event of an unmounted dialog also arrives late: ignore it.
    if (dialog.current !== null) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={handleClose} onKeyDown={handleKey}>
      <h2 id={id}>{title}</h2>
      <CloseDialog.Provider value={onClose}>{children}</CloseDialog.Provider>
    </dialog>
  );
}
