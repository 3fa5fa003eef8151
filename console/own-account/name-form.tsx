import { useState } from 'preact/hooks';
import { NameField } from '../accounts/name-field.tsx';
import { SubmitButton } from '../accounts/submit-button.tsx';
import type { Me } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { Form } from '../ui/form.tsx';
import { tell } from '../ui/notices.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { Section } from '../ui/section.tsx';

export function NameForm({ me: { user } }: { me: Me }) {
  const { client, me } = useSession();
  const [name, setName] = useState(user.full_name);
  const save = useAction(async () => {
    me.set(await client.patch<Me>('/api/auth/me', { full_name: name.trim() }));
    tell('Your name is saved.');
  });
  return (
    <Section title="Who you are">
      <Form class="stack" onSubmit={() => save.run()}>
        <NameField
          value={name}
          onChange={setName}
          problem={problemAt(save.problem, 'full_name', 'Your name')}
        />
        <p class="hint">
          {user.email}
          {!user.is_verified && (
            <>
              {' '}
              is not verified yet: <a href="/verify-email">have the link sent again</a>.
            </>
          )}
        </p>
        <ProblemMessage problem={save.problem} toldBy={['full_name']} />
        <SubmitButton isBusy={save.isBusy}>Save the name</SubmitButton>
      </Form>
    </Section>
  );
}
