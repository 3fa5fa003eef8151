import { useContext } from 'preact/hooks';
import { SubmitButton, type SubmitButtonProps } from './submit-button.tsx';
import { CloseDialog } from './dialog.tsx';

export interface SubmitOrCancelProps extends SubmitButtonProps {
  onCancel?: () => void;
}

/** Buttons at the end of a dialog's form: one that submits and one that cancels. */
export function SubmitOrCancel({ onCancel, ...props }: SubmitOrCancelProps) {
  const close = useContext(CloseDialog);
  const cancelAndClose = (): void => {
    onCancel?.();
    close();
  };
  return (
    <div class="row end">
      <button type="button" onClick={cancelAndClose}>
        Cancel
      </button>
      <SubmitButton {...props} />
    </div>
  );
}
