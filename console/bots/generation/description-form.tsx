import type { Model } from '../../client/types.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useApi } from '../../state/use-api.ts';
import { useSession } from '../../session/session.tsx';
import { CheckboxField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { generations, type Description, type Generation } from './generations.ts';

export interface DescriptionFormProps {
  orgId: string;
  /** Previous generation of a bot, whose request fills the form again after a failure. */
  last: Generation | null;
}

/** Key under which the unsaved description of a bot is stored. */
export const DESCRIPTION_FORM = 'bots/new';

const EMPTY: Description = { description: '', website_url: '', import_website: true };

export function DescriptionForm({ orgId, last }: DescriptionFormProps) {
  const { client } = useSession();
  const hasFailed = last?.state === 'failed';
  const { draft, change, discard } = useFormDraft(DESCRIPTION_FORM, hasFailed ? last.request : EMPTY);
  const problem = hasFailed ? generations.problem : null;
  const startGeneration = (): void => {
    const request = { ...draft, website_url: draft.website_url.trim() };
    discard();
    generations.start(client, orgId, request);
  };
  const isRefusedSite = problem?.code === 'url_refused';
  return (
    <Form className="card generate-form" isReady={draft.description.trim() !== ''} onSubmit={startGeneration}>
      <TextArea
        label="What should your bot do?"
        hint="Describe your business, your audience and the tone you'd like. Mention “collect emails” to add a lead form."
        rows={7}
        maxLength={4000}
        isRequired
        value={draft.description}
        onChange={(description) => change({ description })}
        problem={describeFieldProblem(problem, 'description', 'This')}
      />
      <TextField
        label="Website (optional)"
        placeholder="www.example.com"
        hint="We'll take your name, brand colors and content from the website. We respect robots.txt."
        maxLength={1000}
        value={draft.website_url}
        onChange={(website_url) => change({ website_url })}
        problem={isRefusedSite ? problem?.message : describeFieldProblem(problem, 'website_url', 'This')}
      />
      {draft.website_url.trim() !== '' && (
        <CheckboxField
          label="Import pages as knowledge"
          isChecked={draft.import_website}
          onChange={(import_website) => change({ import_website })}
        />
      )}
      <DraftMethodHint />
      {!isRefusedSite && <ProblemMessage problem={problem} inlineFields={['description', 'website_url']} />}
      <div className="button-row">
        <SubmitButton isBusy={false} isDisabled={draft.description.trim() === ''}>
          Generate bot
        </SubmitButton>
        <span className="hint">You can review everything before going live.</span>
      </div>
    </Form>
  );
}

/** Explains that fixed rules create the draft of a bot. Shown on a server without a language model. */
function DraftMethodHint() {
  const { data } = useApi<Model[]>('/api/models');
  const platform = data?.filter(({ provider }) => provider === 'platform') ?? [];
  if (!platform.some(({ id }) => id === 'extractive-1')) return null;
  return (
    <p className="hint">
      No AI model is configured, so we draft the bot from a template, your description and your website.
    </p>
  );
}
