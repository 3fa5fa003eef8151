import { useState } from 'preact/hooks';
import type { BotRead } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { DialogButton } from '../ui/dialog-button.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { describeFieldProblem, ProblemMessage } from '../ui/problem-message.tsx';
import { SubmitOrCancel } from '../ui/submit-or-cancel.tsx';

/** Form that creates a bot with only a name. */
export function StartEmpty() {
  return (
    <DialogButton name="Start empty" title="A bot that begins empty">
      {() => <NameForm />}
    </DialogButton>
  );
}

function NameForm() {
  const { client } = useSession();
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const bot = await client.post<BotRead>('/api/bots', { name: name.trim() });
    goTo(buildHref(['bots', bot.id]));
  });
  return (
    <Form class="stack" isReady={name.trim() !== ''} onSubmit={() => create.run()}>
      <TextField
        label="Name of a new bot"
        value={name}
        onChange={setName}
        problem={describeFieldProblem(create.problem, 'name', 'The name')}
        maxLength={255}
        isRequired
        isFocused
      />
      <ProblemMessage problem={create.problem} inlineFields={['name']} />
      <SubmitOrCancel isBusy={create.isBusy}>Create</SubmitOrCancel>
    </Form>
  );
}
