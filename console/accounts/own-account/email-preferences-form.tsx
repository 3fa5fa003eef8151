import { Form, SubmitButton } from '../../components/form.tsx';
import type { EmailPreferences } from '../../client/types.ts';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { Choices } from '../../components/choices.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { Section } from '../../components/section.tsx';

const titles: Record<Categories[number]['category'], string> = {
  leads: 'Leads',
  handoff: 'Requests for a person',
  content: 'Documents and sites',
  usage: 'Usage and limits',
  health: 'Failures',
  digest: 'Summaries',
  product: 'News about Parley',
  bookings: 'Meetings',
};

type Categories = EmailPreferences['categories'];

const PREFERENCES = '/api/email-preferences';

export function EmailPreferencesForm() {
  const { client } = useSession();
  const preferences = useLoad((signal) => client.get<EmailPreferences>(PREFERENCES, signal), [client]);
  return (
    <Section title="Mail">
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
  onSaved(stored: EmailPreferences): void;
}

function CategoriesForm({ categories, onSaved }: CategoriesFormProps) {
  const { client } = useSession();
  const stored = Object.fromEntries(categories.map(({ category, enabled }) => [category, enabled]));
  const { draft, change, markSaved } = useFormDraft(PREFERENCES, stored);
  const save = useAction(async () => {
    onSaved(
      await client.put<EmailPreferences>(PREFERENCES, { categories: findChangedFields(stored, draft) }),
    );
    markSaved(draft);
    showConfirmation('What you are mailed is saved.');
  });
  return (
    <Form className="stack" onSubmit={() => save.run()}>
      <Choices
        legend="What you are mailed"
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
      <p className="hint">Mail about security always comes.</p>
      <ProblemMessage problem={save.problem} />
      <SubmitButton isBusy={save.isBusy}>Save</SubmitButton>
    </Form>
  );
}
