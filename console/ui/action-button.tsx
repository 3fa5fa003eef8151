import { useAction } from '../hooks/use-action.ts';
import { toAccessibleName } from './accessible-name.ts';
import { showError } from './notices.tsx';

export interface ActionButtonProps {
  /** Label of the button. */
  children: string;
  onAction(): Promise<void>;
  kind?: 'primary' | 'danger' | 'plain';
  isDisabled?: boolean;
  /** Object of the action, if the label does not name it; added to the accessible name. */
  about?: string;
}

/** Button for an asynchronous action; shows its error. */
export function ActionButton({ children, onAction, kind, isDisabled = false, about }: ActionButtonProps) {
  const { run, isBusy } = useAction(onAction, ({ message }) => showError(message));
  return (
    <button
      type="button"
      class={kind}
      aria-disabled={isDisabled || isBusy}
      aria-busy={isBusy}
      aria-label={toAccessibleName(children, about)}
      onClick={() => {
        if (!isDisabled) run();
      }}
    >
      {children}
    </button>
  );
}
