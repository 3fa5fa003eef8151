import { useContext } from 'preact/hooks';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { CloseDialog } from '../../ui/dialog.tsx';
import type { WizardForm } from './wizard-draft.ts';

export interface StepButtonsProps {
  form: WizardForm;
  /** Step that “Back” opens; undefined on the first step. */
  back?: 'channel' | 'destination';
  isBusy?: boolean;
  isReady?: boolean;
  children?: string;
}

/** Buttons at the end of a step of the wizard: Back and Next. */
export function StepButtons({
  form,
  back,
  isBusy = false,
  isReady = true,
  children = 'Next',
}: StepButtonsProps) {
  const close = useContext(CloseDialog);
  const discardAndClose = (): void => {
    form.discard();
    close();
  };
  return (
    <div class="row end">
      <button type="button" onClick={discardAndClose}>
        Cancel
      </button>
      {back !== undefined && (
        <button type="button" onClick={() => form.change({ step: back })}>
          Back
        </button>
      )}
      {isReady ? (
        <SubmitButton isBusy={isBusy}>{children}</SubmitButton>
      ) : (
        <button class="primary" type="submit" aria-disabled>
          {children}
        </button>
      )}
    </div>
  );
}
