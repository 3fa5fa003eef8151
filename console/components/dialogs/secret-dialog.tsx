import { Alert, Button, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CopyField } from '../forms/copy-field.tsx';
import { Dialog } from './dialog.tsx';

export interface SecretDialogProps {
  title: string;
  /** Label of the field that shows the secret. */
  label: string;
  secret: string;
  /** Text that says what the secret is for. */
  purpose: ReactNode;
  /** Further buttons next to the dialog's close button. */
  tools?: ReactNode;
  onClose(): void;
}

/**
 * Dialog that shows a secret, such as an API key, which cannot be shown again. Escape and a click outside ask
 * for confirmation before the dialog closes.
 */
export function SecretDialog({ title, label, secret, purpose, tools, onClose }: SecretDialogProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Dialog title={title} size="lg" onClose={onClose} onEscape={() => setAsking(true)}>
      <Text>
        {purpose} <strong>You won't be able to see this again.</strong>
      </Text>
      <CopyField label={label} value={secret} />
      {isAsking && (
        <Alert color="red">Have you saved it? You can't view it again after you close this dialog.</Alert>
      )}
      <Group justify="flex-end">
        {tools}
        <Button onClick={onClose}>I've saved it</Button>
      </Group>
    </Dialog>
  );
}
