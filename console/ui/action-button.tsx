import type { ComponentChildren } from 'preact';
import { useAction } from '../hooks/use-action.ts';
import { tellProblem } from './notices.tsx';

export interface ActionButtonProps {
  children: ComponentChildren;
  onAction(): Promise<void>;
  kind?: 'primary' | 'danger' | 'plain';
  isDisabled?: boolean;
  /** Where the words on it are not enough. */
  label?: string;
}

/** A button whose work takes a moment; what goes wrong is told. */
export function ActionButton({ children, onAction, kind, isDisabled = false, label }: ActionButtonProps) {
  const { run, isBusy } = useAction(onAction, ({ message }) => tellProblem(message));
  return (
    <button
      type="button"
      class={kind}
      disabled={isDisabled || isBusy}
      aria-busy={isBusy}
      aria-label={label}
      onClick={() => run()}
    >
      {children}
    </button>
  );
}
