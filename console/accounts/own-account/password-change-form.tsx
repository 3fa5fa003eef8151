import { useState } from 'react';
import { NewPasswordField } from './new-password-field.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import type { Me, Message } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { CurrentPasswordField } from '../../components/fields.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { Section } from '../../components/section.tsx';

export interface PasswordChangeFormProps {
  me: Me;
  onOthersEnded(): void;
}

export function PasswordChangeForm({ me: { user }, onOthersEnded }: PasswordChangeFormProps) {
  const { client } = useSession();
  const [present, setPresent] = useState('');
  const [next, setNext] = useState('');
  const change = useAction(async () => {
    const request = { current_password: present, new_password: next };
    showConfirmation((await client.post<Message>('/api/auth/password/change', request)).message);
    setPresent('');
    setNext('');
    onOthersEnded();
  });
  if (!user.has_password) return <NoPassword />;
  return (
    <Section title="Password">
      <Form className="stack" onSubmit={() => change.run()}>
        {/* Hidden field that tells password managers to which account the new password belongs. */}
        <input
          type="email"
          value={user.email}
          autoComplete="username"
          aria-label="E-mail address"
          hidden
          readOnly
        />
        <CurrentPasswordField
          label="Present password"
          value={present}
          onChange={setPresent}
          problem={describeFieldProblem(change.problem, 'current_password', 'This')}
        />
        <NewPasswordField
          label="New password"
          value={next}
          onChange={setNext}
          problem={describeFieldProblem(change.problem, 'new_password', 'The new password')}
        />
        <p className="hint">It signs you out everywhere but here.</p>
        <ProblemMessage problem={change.problem} inlineFields={['current_password', 'new_password']} />
        <SubmitButton isBusy={change.isBusy}>Change the password</SubmitButton>
      </Form>
    </Section>
  );
}

function NoPassword() {
  return (
    <Section title="Password">
      <p>
        Your account has no password. <a href="/forgot-password">Have a link mailed</a> to set one.
      </p>
    </Section>
  );
}
