import { Button } from '@mantine/core';
import { useState } from 'react';
import { toAccessibleName } from '../text/accessible-name.ts';
import { buttonKinds } from './action-button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

export interface ConfirmButtonProps {
  /** Label of this button, and of the dialog's button that confirms the action. */
  children: string;
  question: string;
  /** Text that explains the consequence of the action. */
  consequence: string;
  onConfirm(): Promise<void>;
  /**
   * Name of the thing that the action affects, added to the button's accessible name. Undefined if the label
   * names it.
   */
  about?: string | undefined;
  /**
   * Label of the button that closes the dialog; by default “Cancel”, which is ambiguous if the action itself
   * cancels something.
   */
  otherwise?: string;
  isDisabled?: boolean;
  size?: 'xs' | 'sm';
}

/** Button that asks for confirmation and then runs an action. */
export function ConfirmButton({
  children,
  question,
  consequence,
  onConfirm,
  about,
  otherwise = 'Cancel',
  isDisabled = false,
  size = 'sm',
}: ConfirmButtonProps) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <Button
        {...buttonKinds.danger}
        size={size}
        aria-label={toAccessibleName(children, about)}
        disabled={isDisabled}
        onClick={() => setConfirming(true)}
      >
        {children}
      </Button>
      {isConfirming && (
        <ConfirmDialog
          question={question}
          consequence={consequence}
          action={children}
          otherwise={otherwise}
          onConfirm={onConfirm}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
