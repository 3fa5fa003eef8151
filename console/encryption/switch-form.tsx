import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Encryption } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { showConfirmation } from '../ui/notices.ts';
import { ProblemMessage } from '../ui/problem-message.tsx';
import type { Mode } from './encryption-facts.ts';

export interface SwitchFormProps {
  mode: Mode;
  /** Label of the submit button. */
  name: string;
  workspace: string;
  /** Description of what the new mode means. */
  children: ComponentChildren;
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
    showConfirmation('Switched. Content is being converted in the background.');
    onSwitched();
  });
  return (
    <Form class="stack" onSubmit={() => change.run()} isReady={isConfirmed}>
      {children}
      <TextField
        label={`Type “${workspace}” to confirm`}
        value={typed}
        onChange={setTyped}
        isRequired
        isFocused
      />
      <ProblemMessage problem={change.problem} />
      <div class="row end">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button
          type="submit"
          class="danger"
          aria-disabled={!isConfirmed || change.isBusy}
          aria-busy={change.isBusy}
        >
          {name}
        </button>
      </div>
    </Form>
  );
}
