import { createContext, type ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose(): void;
  /** Called for Escape, which then does not close it. */
  onEscape?: (() => void) | undefined;
}

/** Closes the dialog around a component. */
export const CloseDialog = createContext<() => void>(() => undefined);

/**
 * Modal: the browser keeps the focus inside, and gives it back where it was. Escape is taken before the browser closes the
 * dialog by itself: that is told with the next frame only, when the button that has the focus again may have been pressed.
 */
export function Dialog({ title, children, onClose, onEscape = onClose }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  const keyPressed = (event: KeyboardEvent): void => {
    // One over another one closes first, and alone.
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    onEscape();
  };
  const closed = (): void => {
    // Of one that has left the page it is told as late.
    if (dialog.current !== null) onClose();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={closed} onKeyDown={keyPressed}>
      <h2 id={id}>{title}</h2>
      <CloseDialog.Provider value={onClose}>{children}</CloseDialog.Provider>
    </dialog>
  );
}
