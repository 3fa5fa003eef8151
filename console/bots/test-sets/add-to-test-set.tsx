import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Page, TestQuestion, TestSet, TestSetSummary } from '../../client/types.ts';
import { SelectField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { useApi } from '../../state/use-api.ts';
import { useReload } from '../../state/use-reload.ts';
import { expectationOptions } from './test-set-words.ts';
import { toHref } from './test-set-list.tsx';

export interface AddToTestSetProps {
  botId: string;
  /** Question of a visitor that is added to a test set. */
  question: string;
  onAdded(): void;
}

/** Value of the option that creates a test set. */
const NEW = '';

/** Form that adds a visitor's question to a test set of the bot, or to a new test set. */
export function AddToTestSet(props: AddToTestSetProps) {
  const sets = useApi<Page<TestSetSummary>>(`${path`/api/ext/bots/${props.botId}/test-sets`}?page_size=100`);
  return <LoadedView loaded={sets}>{({ items }) => <AddForm {...props} sets={items} />}</LoadedView>;
}

function AddForm({
  botId,
  question,
  sets,
  onAdded,
}: AddToTestSetProps & { sets: readonly TestSetSummary[] }) {
  const { client } = useSession();
  const reload = useReload();
  const url = path`/api/ext/bots/${botId}/test-sets`;
  const [setId, setSetId] = useState(sets[0]?.id ?? NEW);
  const [name, setName] = useState('Visitors’ questions');
  const [expects, setExpects] = useState<TestQuestion['expects']>('answer');
  const add = useAction(async () => {
    const questions = [{ question, expects }];
    const set =
      setId === NEW
        ? await client.post<TestSet>(url, { name, questions })
        : await client.post<TestSet>(`${url}/${setId}/questions`, { questions });
    await reload(url);
    onAdded();
    showConfirmation(`Added to ${set.name}`, {
      name: 'View',
      run: () => goTo(toHref(botId, { set: set.id })),
    });
  });
  return (
    <Form onSubmit={() => add.run()}>
      <p className="hint" dir="auto">
        {question}
      </p>
      <SelectField
        label="Test set"
        value={setId}
        options={[...sets.map(({ id, name: each }) => [id, each] as const), [NEW, 'New test set']]}
        onChange={setSetId}
      />
      {setId === NEW && <TextField label="Name" value={name} onChange={setName} maxLength={100} isRequired />}
      <SelectField
        label="The bot should"
        value={expects}
        options={expectationOptions}
        onChange={(value) => setExpects(value)}
      />
      <ProblemMessage problem={add.problem} />
      <SubmitOrCancel isBusy={add.isBusy}>Add</SubmitOrCancel>
    </Form>
  );
}
