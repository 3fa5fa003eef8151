import { Group } from '@mantine/core';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { EmailPreferences } from '../../client/types.ts';
import { Choices } from '../../components/forms/choices.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { useSession } from '../../session/session.tsx';
import { useApi } from '../../state/use-api.ts';
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
  return (
    <Section title="Notifications" description="You'll always get security emails.">
      <LoadedView loaded={preferences}>
        {({ categories }) => (
          <CategoriesForm
            categories={categories.filter(({ is_sent: isSent }) => isSent)}
            onSaved={preferences.set}
          />
        )}
      </LoadedView>
    </Section>
  );
}

interface CategoriesFormProps {
  categories: Categories;
  onSaved(preferences: EmailPreferences): void;
}

function CategoriesForm({ categories, onSaved }: CategoriesFormProps) {
  const { client } = useSession();
  const stored = Object.fromEntries(categories.map(({ category, enabled }) => [category, enabled]));
  const { draft, isChanged, change, markSaved } = useFormDraft(PREFERENCES, stored);
  const save = useAction(async () => {
    const request = { categories: findChangedFields(stored, draft) };
    onSaved(await client.put<EmailPreferences>(PREFERENCES, request));
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
        {isChanged && <p className="hint">Unsaved changes</p>}
      </Group>
    </Form>
  );
}
