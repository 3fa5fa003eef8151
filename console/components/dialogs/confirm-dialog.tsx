import { Button, Group, Text } from '@mantine/core';
import { useAction } from '../../state/use-action.ts';
import { Dialog } from './dialog.tsx';
import { ProblemMessage } from '../page/problem-message.tsx';

export interface ConfirmDialogProps {
  question: string;
  /** Text that explains the consequence of the action. */
  consequence: string;
  /** Label of the button that confirms the action. */
  action: string;
  /** Label of the button that closes the dialog. */
  otherwise?: string;
  isDangerous?: boolean;
  onConfirm(): Promise<void>;
  onClose(): void;
}

/** Dialog that asks for confirmation and then runs an action. */
export function ConfirmDialog({
  question,
  consequence,
  action,
  otherwise = 'Cancel',
  isDangerous = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const confirm = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={question} onClose={onClose}>
      <Text>{consequence}</Text>
      <ProblemMessage problem={confirm.problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {otherwise}
        </Button>
        <Button
          {...(isDangerous && { color: 'red' })}
          aria-disabled={confirm.isBusy}
          data-inactive={confirm.isBusy || undefined}
          onClick={() => confirm.run()}
        >
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
