import { useState } from 'preact/hooks';
import { useAction } from '../hooks/use-action.ts';
import { Dialog } from './dialog.tsx';
import { nameOf } from './name-of.ts';
import { ProblemMessage } from './problem-message.tsx';

export interface ConfirmButtonProps {
  /** What the button says, and the one that confirms. */
  children: string;
  question: string;
  /** What will happen. */
  consequence: string;
  onConfirm(): Promise<void>;
  /** What it is about, where its words alone do not tell. */
  about?: string;
  /** What the button says that does nothing, where “Cancel” would be taken for the other one. */
  otherwise?: string;
  isDisabled?: boolean;
}

/** For what cannot be undone: asks first. */
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
        aria-label={nameOf(children, about)}
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
