import { useAction } from '../hooks/use-action.ts';
import { nameOf } from './name-of.ts';
import { tellProblem } from './notices.tsx';

export interface ActionButtonProps {
  /** The words on it. */
  children: string;
  onAction(): Promise<void>;
  kind?: 'primary' | 'danger' | 'plain';
  isDisabled?: boolean;
  /** What it is about, where its words alone do not tell: names it together with them. */
  about?: string;
}

/** A button whose work takes a moment; what goes wrong is told. */
export function ActionButton({ children, onAction, kind, isDisabled = false, about }: ActionButtonProps) {
  const { run, isBusy } = useAction(onAction, ({ message }) => tellProblem(message));
  return (
    <button
      type="button"
      class={kind}
      aria-disabled={isDisabled || isBusy}
      aria-busy={isBusy}
      aria-label={nameOf(children, about)}
      onClick={() => {
        if (!isDisabled) run();
      }}
    >
      {children}
    </button>
  );
}
