import { useContext } from 'preact/hooks';
import { SubmitButton, type SubmitButtonProps } from '../accounts/submit-button.tsx';
import { CloseDialog } from './dialog.tsx';

/** Ends a form in a dialog. */
export function SubmitOrCancel(props: SubmitButtonProps) {
  const close = useContext(CloseDialog);
  return (
    <div class="row end">
      <button type="button" onClick={close}>
        Cancel
      </button>
      <SubmitButton {...props} />
    </div>
  );
}
