import { Button, Group } from '@mantine/core';
import { useContext } from 'react';
import { SubmitButton } from '../../components/forms/form.tsx';
import { CloseDialog } from '../../components/dialogs/dialog.tsx';
import type { WizardForm } from './wizard-draft.ts';

export interface StepButtonsProps {
  form: WizardForm;
  /** Step of the wizard that the button “Back” opens; undefined on the first step. */
  back?: 'channel' | 'destination';
  isBusy?: boolean;
  isReady?: boolean;
  children?: string;
}

/** Buttons Back and Next at the end of a step of the wizard. */
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
    <Group justify="flex-end">
      <Button variant="default" onClick={discardAndClose}>
        Cancel
      </Button>
      {back !== undefined && (
        <Button variant="default" onClick={() => form.change({ step: back })}>
          Back
        </Button>
      )}
      {isReady ? (
        <SubmitButton isBusy={isBusy}>{children}</SubmitButton>
      ) : (
        <Button type="submit" aria-disabled data-inactive>
          {children}
        </Button>
      )}
    </Group>
  );
}
