import { useState } from 'preact/hooks';
import { useAction } from '../hooks/use-action.ts';
import { Dialog } from './dialog.tsx';
import { toAccessibleName } from './accessible-name.ts';
import { ProblemMessage } from './problem-message.tsx';

export interface ConfirmButtonProps {
  /** Label of the button, and of the one that confirms. */
  children: string;
  question: string;
  /** Consequence of the action. */
  consequence: string;
  onConfirm(): Promise<void>;
  /** Object of the action, if the label does not name it. */
  about?: string;
  /** Label of the button that cancels, if “Cancel” could be mistaken for the action. */
  otherwise?: string;
  isDisabled?: boolean;
}

/** Button for an irreversible action; asks for confirmation. */
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
