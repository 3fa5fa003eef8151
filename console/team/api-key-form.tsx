import { useState } from 'preact/hooks';
import { SubmitButton } from '../accounts/submit-button.tsx';
import type { ApiKeyCreated } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { Choices } from '../ui/choices.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { startOfDay } from './start-of-day.ts';
import { scopes } from './scopes.ts';

export function ApiKeyForm({ onMade }: { onMade(key: ApiKeyCreated): void }) {
  const { client } = useSession();
  const [name, setName] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const create = useAction(async () => {
    const expiresAt = lastDay === '' ? null : startOfDay(lastDay);
    const request = { name: name.trim(), scopes: [...chosen], expires_at: expiresAt };
    onMade(await client.post<ApiKeyCreated>('/api/api-keys', request));
  });
  const { problem } = create;
  return (
    <Form class="stack" onSubmit={() => create.run()}>
      <TextField
        label="What it is for"
        value={name}
        onChange={setName}
        problem={problemAt(problem, 'name', 'This')}
        maxLength={120}
        isRequired
        isFocused
      />
      <TextField
        label="Ends on"
        type="date"
        value={lastDay}
        onChange={setLastDay}
        problem={problemAt(problem, 'expires_at', 'The end')}
        hint="At the beginning of that day; without one, it lasts until it is revoked."
      />
      <Choices legend="What it may do" choices={scopes} chosen={chosen} onChange={setChosen} />
      <p class="hint">It never may more than you may yourself; to write includes to read.</p>
      <ProblemMessage
        problem={problem}
        toldBy={['name', 'expires_at']}
        labels={{ scopes: 'What it may do' }}
      />
      <SubmitButton isBusy={create.isBusy}>Create the key</SubmitButton>
    </Form>
  );
}
