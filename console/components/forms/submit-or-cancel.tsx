import { Button, Group } from '@mantine/core';
import { useContext } from 'react';
import { CloseDialog } from '../dialogs/dialog.tsx';
import { SubmitButton, type SubmitButtonProps } from './form.tsx';

export interface SubmitOrCancelProps extends SubmitButtonProps {
  onCancel?: () => void;
}

/** Buttons at the end of a dialog's form: one button submits, the other cancels. */
export function SubmitOrCancel({ onCancel, ...props }: SubmitOrCancelProps) {
  const close = useContext(CloseDialog);
  const cancelAndClose = (): void => {
    onCancel?.();
    close();
  };
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={cancelAndClose}>
        Cancel
      </Button>
      <SubmitButton {...props} />
    </Group>
  );
}
