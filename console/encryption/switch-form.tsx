import { Button, Group } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { Encryption } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import type { Mode } from './encryption-facts.ts';

export interface SwitchFormProps {
  mode: Mode;
  /** Label of the form's submit button. */
  name: string;
  workspace: string;
  /** Text that says what the new encryption mode means. */
  children: ReactNode;
  onSwitched(): void;
  close(): void;
}

/**
 * Form that switches the encryption mode. The user has to enter the workspace's name, to prevent accidents.
 */
export function SwitchForm({ mode, name, workspace, children, onSwitched, close }: SwitchFormProps) {
  const { client } = useSession();
  const [typed, setTyped] = useState('');
  const isConfirmed = typed.trim() === workspace.trim();
  const change = useAction(async () => {
    await client.put<Encryption>('/api/encryption', { mode });
    close();
    showConfirmation('Encryption mode changed. Converting content in the background.');
    onSwitched();
  });
  return (
    <Form onSubmit={() => change.run()} isReady={isConfirmed}>
      {children}
      <TextField
        label={`Type “${workspace}” to confirm`}
        value={typed}
        onChange={setTyped}
        isRequired
        isFocused
      />
      <ProblemMessage problem={change.problem} />
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        <Button
          variant="filled"
          color="red"
          type="submit"
          aria-disabled={!isConfirmed || change.isBusy}
          aria-busy={change.isBusy}
        >
          {name}
        </Button>
      </Group>
    </Form>
  );
}
