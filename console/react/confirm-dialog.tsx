/** @jsxImportSource react */
import { Button, Group, Modal, Text } from '@mantine/core';
import { ProblemMessage } from './problem-message.tsx';
import { useAction } from './use-action.ts';

export interface ConfirmDialogProps {
  question: string;
  /** Text that explains the consequence of the action. */
  consequence: string;
  /** Label of the button that confirms the action. */
  action: string;
  isDangerous?: boolean;
  onConfirm(): Promise<void>;
  onClose(): void;
}

/** Dialog that asks for confirmation before it runs an action. */
export function ConfirmDialog({
  question,
  consequence,
  action,
  isDangerous = true,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const confirm = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Modal opened onClose={onClose} title={question} centered>
      <Text>{consequence}</Text>
      <ProblemMessage problem={confirm.problem} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          {...(isDangerous && { color: 'red' })}
          aria-disabled={confirm.isBusy}
          onClick={() => confirm.run()}
        >
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
