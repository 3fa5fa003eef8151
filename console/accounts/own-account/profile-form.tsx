import { NameField } from './name-field.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { Me } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { TextField } from '../../components/fields.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { Section } from '../../components/section.tsx';

export function ProfileForm({ me: { user } }: { me: Me }) {
  const { client, me } = useSession();
  const stored = { name: user.full_name, picture: user.avatar_url ?? '' };
  const { draft, change, markSaved } = useFormDraft('/api/auth/me', stored);
  const save = useAction(async () => {
    const wanted = { full_name: draft.name.trim(), avatar_url: draft.picture.trim() || null };
    const changes = findChangedFields(user, wanted);
    me.set(await client.patch<Me>('/api/auth/me', changes));
    markSaved(draft);
    showConfirmation('Who you are is saved.');
  });
  return (
    <Section title="Who you are">
      <Form className="stack" onSubmit={() => save.run()}>
        <NameField
          value={draft.name}
          onChange={(name) => change({ name })}
          problem={describeFieldProblem(save.problem, 'full_name', 'Your name')}
        />
        <TextField
          label="Address of your picture"
          type="url"
          value={draft.picture}
          onChange={(picture) => change({ picture })}
          problem={describeFieldProblem(save.problem, 'avatar_url', 'The address')}
          hint="Begins with https://; programs show it to your team. Leave it empty for none."
          maxLength={2000}
        />
        <p className="hint">
          {user.email}
          {!user.is_verified && (
            <>
              {' '}
              is not verified yet: <a href="/verify-email">have the link sent again</a>.
            </>
          )}
        </p>
        <ProblemMessage problem={save.problem} inlineFields={['full_name', 'avatar_url']} />
        <SubmitButton isBusy={save.isBusy}>Save who you are</SubmitButton>
      </Form>
    </Section>
  );
}
