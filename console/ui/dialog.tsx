import { createContext, type ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose(): void;
  /** Called for Escape, which then does not close it. */
  onEscape?: () => void;
}

/** Closes the dialog around a component. */
export const CloseDialog = createContext<() => void>(() => undefined);

/** Modal: the browser keeps the focus inside, closes it on Escape, and gives the focus back where it was. */
export function Dialog({ title, children, onClose, onEscape }: DialogProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  const keyPressed = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || onEscape === undefined) return;
    event.preventDefault();
    onEscape();
  };
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose} onKeyDown={keyPressed}>
      <h2 id={id}>{title}</h2>
      <CloseDialog.Provider value={onClose}>{children}</CloseDialog.Provider>
    </dialog>
  );
}
