import { Button } from '@mantine/core';
import type { Model } from '../../client/types.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { CheckboxField, TextArea, TextField } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { generations, type Description, type Generation } from './generations.ts';

export interface DescriptionFormProps {
  orgId: string;
  /** Previous generation, whose request fills the form again after a failure. */
  last: Generation | null;
}

/** Key under which unsaved text of the form is stored. */
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
    <Form
      className="card stack described"
      isReady={draft.description.trim() !== ''}
      onSubmit={startGeneration}
    >
      <TextArea
        label="What is the business, and what is the bot to do for it?"
        hint="A few sentences: what it offers, to whom, what visitors ask, how it speaks to them. “Ask for their e-mail address” gives the bot a form for contact details."
        rows={7}
        maxLength={4000}
        isRequired
        value={draft.description}
        onChange={(description) => change({ description })}
        problem={describeFieldProblem(problem, 'description', 'This')}
      />
      <TextField
        label="Website, if there is one"
        hint="Such as www.example.com. Name, colours, questions and facts come from it, as far as its robots.txt allows."
        maxLength={1000}
        value={draft.website_url}
        onChange={(website_url) => change({ website_url })}
        problem={isRefusedSite ? problem?.message : describeFieldProblem(problem, 'website_url', 'This')}
      />
      {draft.website_url.trim() !== '' && (
        <CheckboxField
          label="Import its pages as documents, which the bot answers from"
          isChecked={draft.import_website}
          onChange={(import_website) => change({ import_website })}
        />
      )}
      <DraftMethodHint />
      {!isRefusedSite && <ProblemMessage problem={problem} inlineFields={['description', 'website_url']} />}
      <Button type="submit" aria-disabled={draft.description.trim() === ''}>
        Make a draft
      </Button>
      <p className="hint">You read it through and change it before others can reach it.</p>
    </Form>
  );
}

/** Says that fixed rules create the draft. Shown on a server without a language model. */
function DraftMethodHint() {
  const { client } = useSession();
  const { data } = useLoad((signal) => client.get<Model[]>('/api/models', signal), [client]);
  const platform = data?.filter(({ provider }) => provider === 'platform') ?? [];
  if (!platform.some(({ id }) => id === 'extractive-1')) return null;
  return (
    <p className="hint">
      This server has no language model: rules draft the bot, from what you write and what the website says of
      itself.
    </p>
  );
}
