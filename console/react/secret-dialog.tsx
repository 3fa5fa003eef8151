/** @jsxImportSource react */
import { Alert, Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { IconCopy } from '../shell/icons.ts';
import { showConfirmation } from '../ui/notices.ts';

export interface SecretDialogProps {
  title: string;
  /** Label of the field that shows the secret. */
  label: string;
  secret: string;
  /** Text that says what the secret is for. */
  purpose: string;
  onClose(): void;
}

/**
 * Dialog that shows a secret, which cannot be shown again. Escape and a click outside ask for confirmation
 * before the dialog closes.
 */
export function SecretDialog({ title, label, secret, purpose, onClose }: SecretDialogProps) {
  const [isAsking, setAsking] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(secret);
      showConfirmation('Copied');
    } catch {
      showConfirmation('Press Ctrl+C to copy');
    }
  };
  return (
    <Modal opened onClose={() => setAsking(true)} title={title} centered withCloseButton={false} size="lg">
      <Text mb="sm">
        {purpose} <strong>You won't be able to see this again.</strong>
      </Text>
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          ref={field}
          label={label}
          value={secret}
          readOnly
          className="secret-field"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <Button variant="default" leftSection={<IconCopy />} onClick={() => void copy()}>
          Copy
        </Button>
      </Group>
      {isAsking && (
        <Alert color="red" mt="sm">
          Have you saved it? You can't view it again after closing.
        </Alert>
      )}
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>I've saved it</Button>
      </Group>
    </Modal>
  );
}
