import { useAction } from '../hooks/use-action.ts';
import { toAccessibleName } from './accessible-name.ts';
import { showError } from './notices.ts';

export interface ActionButtonProps {
  /** Label of the button. */
  children: string;
  onAction(): Promise<void>;
  kind?: 'primary' | 'danger' | 'plain';
  isDisabled?: boolean;
  /**
   * Name of the thing that the action affects, added to the accessible name. Undefined if the label names it.
   */
  about?: string;
}

/** Button that runs an asynchronous action and shows its error as a notice. */
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
