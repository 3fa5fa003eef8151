import { useState } from 'preact/hooks';
import { useAction } from '../hooks/use-action.ts';
import { Dialog } from './dialog.tsx';
import { toAccessibleName } from './accessible-name.ts';
import { ProblemMessage } from './problem-message.tsx';

export interface ConfirmButtonProps {
  /** Label of this button, and of the button that confirms the action. */
  children: string;
  question: string;
  /** Text that explains the consequence of the action. */
  consequence: string;
  onConfirm(): Promise<void>;
  /**
   * Name of the thing that the action affects, added to the accessible name. Undefined if the label names it.
   */
  about?: string;
  /**
   * Label of the button that closes the dialog; by default “Cancel”, which is ambiguous if the action itself
   * cancels something.
   */
  otherwise?: string;
  isDisabled?: boolean;
}

/** Button that asks for confirmation before it runs an action. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const {
    children,
    question,
    consequence,
    onConfirm,
    about,
    otherwise = 'Cancel',
    isDisabled = false,
  } = props;
  const [isAsking, setAsking] = useState(false);
  const confirm = useAction(async () => {
    await onConfirm();
    setAsking(false);
  });
  return (
    <>
      <button
        type="button"
        class="danger"
        aria-label={toAccessibleName(children, about)}
        disabled={isDisabled}
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
      {isAsking && (
        <Dialog title={question} onClose={() => setAsking(false)}>
          <p>{consequence}</p>
          <ProblemMessage problem={confirm.problem} />
          <div class="row end">
            <button type="button" onClick={() => setAsking(false)}>
              {otherwise}
            </button>
            <button type="button" class="danger" aria-disabled={confirm.isBusy} onClick={() => confirm.run()}>
              {children}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
