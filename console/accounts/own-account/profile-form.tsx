import { Anchor, Avatar, Group, Text } from '@mantine/core';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { Me } from '../../client/types.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { NameField } from './name-field.tsx';

export function ProfileForm({ me: { user } }: { me: Me }) {
  const { client, me } = useSession();
  const stored = { name: user.full_name, picture: user.avatar_url ?? '' };
  const { draft, isChanged, change, markSaved } = useFormDraft('/api/auth/me', stored);
  const save = useAction(async () => {
    const edited = { full_name: draft.name.trim(), avatar_url: draft.picture.trim() || null };
    const changes = findChangedFields(user, edited);
    me.set(await client.patch<Me>('/api/auth/me', changes));
    markSaved(draft);
    showConfirmation('Profile updated');
  });
  return (
    <Section title="Profile" description="Visitors and teammates see your name.">
      <Group gap="md" wrap="nowrap">
        <Avatar size={48} name={user.full_name} color="brand" radius="xl" alt="" aria-hidden="true" />
        <div>
          <Text fw={600} dir="auto">
            {user.full_name}
          </Text>
          <p className="hint">
            {user.email}
            {!user.is_verified && (
              <>
                {' '}
                isn't verified yet.{' '}
                <Anchor inherit href="/verify-email">
                  Resend verification link
                </Anchor>
              </>
            )}
          </p>
        </div>
      </Group>
      <Form onSubmit={() => save.run()}>
        <NameField
          value={draft.name}
          onChange={(name) => change({ name })}
          problem={describeFieldProblem(save.problem, 'full_name', 'Your name')}
        />
        <TextField
          label="Avatar URL"
          type="url"
          value={draft.picture}
          onChange={(picture) => change({ picture })}
          problem={describeFieldProblem(save.problem, 'avatar_url', 'The URL')}
          hint="Paste an image URL, or leave blank to show your initials."
          placeholder="https://…"
          maxLength={2000}
        />
        <ProblemMessage problem={save.problem} inlineFields={['full_name', 'avatar_url']} />
        <Group>
          <SubmitButton isBusy={save.isBusy} isDisabled={!isChanged}>
            Save changes
          </SubmitButton>
          {isChanged && <p className="hint">Unsaved changes</p>}
        </Group>
      </Form>
    </Section>
  );
}
