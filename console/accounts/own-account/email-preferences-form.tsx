import { Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { EmailPreferences } from '../../client/types.ts';
import { Choices } from '../../components/choices.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { RowSkeletons } from '../../components/page-skeleton.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { Section } from '../../components/section.tsx';
import { useSession } from '../../session/session.tsx';
import { getProblem, useApi } from '../../state/queries.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';

const titles: Record<Categories[number]['category'], string> = {
  leads: 'Leads',
  handoff: 'Handoff requests',
  content: 'Documents and websites',
  usage: 'Usage and limits',
  health: 'Failures',
  digest: 'Weekly summary',
  product: 'Product news',
  bookings: 'Meetings',
};

type Categories = EmailPreferences['categories'];

const PREFERENCES = '/api/email-preferences';

export function EmailPreferencesForm() {
  const preferences = useApi<EmailPreferences>(PREFERENCES);
  const problem = getProblem(preferences);
  return (
    <Section title="Notifications" description="You'll always get security emails.">
      <ProblemMessage problem={problem} onRetry={() => void preferences.refetch()} />
      {preferences.isPending && problem === null && <RowSkeletons />}
      {preferences.data !== undefined && (
        <CategoriesForm categories={preferences.data.categories.filter(({ is_sent: isSent }) => isSent)} />
      )}
    </Section>
  );
}

function CategoriesForm({ categories }: { categories: Categories }) {
  const { client } = useSession();
  const queries = useQueryClient();
  const stored = Object.fromEntries(categories.map(({ category, enabled }) => [category, enabled]));
  const { draft, isChanged, change, markSaved } = useFormDraft(PREFERENCES, stored);
  const save = useAction(async () => {
    const request = { categories: findChangedFields(stored, draft) };
    queries.setQueryData([PREFERENCES], await client.put<EmailPreferences>(PREFERENCES, request));
    markSaved(draft);
    showConfirmation('Notification preferences saved');
  });
  return (
    <Form onSubmit={() => save.run()}>
      <Choices
        legend="Email notifications"
        choices={categories.map(({ category, description }) => ({
          name: category,
          title: titles[category],
          description,
        }))}
        chosen={new Set(Object.keys(draft).filter((category) => draft[category]))}
        onChange={(chosen) =>
          change(Object.fromEntries(Object.keys(stored).map((category) => [category, chosen.has(category)])))
        }
      />
      <ProblemMessage problem={save.problem} />
      <Group>
        <SubmitButton isBusy={save.isBusy} isDisabled={!isChanged}>
          Save notifications
        </SubmitButton>
        {isChanged && (
          <Text c="dimmed" fz={13}>
            Unsaved changes
          </Text>
        )}
      </Group>
    </Form>
  );
}
