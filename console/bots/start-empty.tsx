import { useState } from 'react';
import type { Bot } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { goTo, buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { DialogButton } from '../components/dialogs/dialog-button.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { SubmitOrCancel } from '../components/forms/submit-or-cancel.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';

/** Form that creates a bot with only a name. */
export function StartEmpty() {
  return <DialogButton name="Start from scratch">{() => <NameForm />}</DialogButton>;
}

function NameForm() {
  const { client } = useSession();
  const [name, setName] = useState('');
  const create = useAction(async () => {
    const bot = await client.post<Bot>('/api/bots', { name: name.trim() });
    goTo(buildHref(['bots', bot.id]));
  });
  return (
    <Form isReady={name.trim() !== ''} onSubmit={() => create.run()}>
      <TextField
        label="Bot name"
        value={name}
        onChange={setName}
        problem={describeFieldProblem(create.problem, 'name', 'The name')}
        maxLength={255}
        isRequired
        isFocused
      />
      <ProblemMessage problem={create.problem} inlineFields={['name']} />
      <SubmitOrCancel isBusy={create.isBusy}>Create bot</SubmitOrCancel>
    </Form>
  );
}
