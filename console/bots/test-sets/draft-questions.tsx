import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { TestQuestionDrafts, TestSet } from '../../client/types.ts';
import { SelectField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';

export interface DraftQuestionsProps {
  set: TestSet;
  /** Called with the changed test set after the chosen questions were added. */
  onAdded(set: TestSet, count: number): void;
}

const sources = [
  ['documents', 'Documents'],
  ['ratings', 'Answers rated helpful'],
  ['unanswered', 'Unanswered questions'],
] as const;
type Source = (typeof sources)[number][0];

/** Form in which the server drafts test questions and the user chooses which to add to the test set. */
export function DraftQuestions({ set, onAdded }: DraftQuestionsProps) {
  const { client } = useSession();
  const [from, setFrom] = useState<Source>('documents');
  const [drafts, setDrafts] = useState<TestQuestionDrafts | null>(null);
  const [unchecked, setUnchecked] = useState<ReadonlySet<string>>(new Set());
  const bot = path`/api/ext/bots/${set.bot_id}`;
  const draft = useAction(async () => {
    setDrafts(null);
    const known = new Set(set.questions.map(({ question }) => question));
    const drafted = await client.post<TestQuestionDrafts>(`${bot}/test-questions/draft`, { from });
    setUnchecked(new Set());
    setDrafts({ ...drafted, questions: drafted.questions.filter(({ question }) => !known.has(question)) });
  });
  const chosen = drafts?.questions.filter(({ question }) => !unchecked.has(question)) ?? [];
  const add = useAction(async () => {
    const url = `${bot}${path`/test-sets/${set.id}`}/questions`;
    onAdded(await client.post<TestSet>(url, { questions: chosen }), chosen.length);
  });
  const toggle = (question: string): void => {
    const next = new Set(unchecked);
    if (!next.delete(question)) next.add(question);
    setUnchecked(next);
  };
  return (
    <Form onSubmit={() => add.run()}>
      <div className="draft-source">
        <SelectField
          label="Draft from"
          value={from}
          options={sources}
          onChange={(source) => {
            setFrom(source);
            setDrafts(null);
          }}
        />
        <Button variant="default" loading={draft.isBusy} onClick={() => draft.run()}>
          Draft
        </Button>
      </div>
      <ProblemMessage problem={draft.problem} />
      <div aria-live="polite">
        {drafts?.note && <p className="hint">{drafts.note}</p>}
        {drafts !== null && drafts.note === null && drafts.questions.length === 0 && (
          <p className="hint">All of these questions are already in the set.</p>
        )}
      </div>
      {drafts !== null && drafts.questions.length > 0 && (
        <ul className="drafted-questions" aria-label="Drafted questions">
          {drafts.questions.map(({ question, source, words }) => (
            <li key={question}>
              <Checkbox
                label={<span dir="auto">{question}</span>}
                description={[source === question ? null : source, ...words].filter(Boolean).join(' · ')}
                checked={!unchecked.has(question)}
                onChange={() => toggle(question)}
              />
            </li>
          ))}
        </ul>
      )}
      <ProblemMessage problem={add.problem} />
      {drafts !== null && drafts.questions.length > 0 && (
        <SubmitOrCancel isBusy={add.isBusy} isDisabled={chosen.length === 0}>
          Add {formatCount(chosen.length, 'question')}
        </SubmitOrCancel>
      )}
    </Form>
  );
}
