import { useState } from 'react';
import type { TestQuestion } from '../../client/types.ts';
import { SelectField, TextArea, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useAction } from '../../state/use-action.ts';
import { expectationOptions } from './test-set-words.ts';

/** Test question in the form; a new question has no id. */
export type EditedQuestion = Omit<TestQuestion, 'id'> & { id?: string };

export interface QuestionFormProps {
  /** Test question to change; null to add a question. */
  question: TestQuestion | null;
  onSave(question: EditedQuestion): Promise<void>;
}

/** Form for a test question and the expected reaction of the bot. */
export function QuestionForm({ question: initial, onSave }: QuestionFormProps) {
  const [question, setQuestion] = useState(initial?.question ?? '');
  const [expects, setExpects] = useState<TestQuestion['expects']>(initial?.expects ?? 'answer');
  const [source, setSource] = useState(initial?.source ?? '');
  const [words, setWords] = useState(initial?.words.join('\n') ?? '');
  const save = useAction(() => {
    const isAnswer = expects === 'answer';
    return onSave({
      ...(initial && { id: initial.id }),
      question,
      expects,
      source: (isAnswer && source.trim()) || null,
      words: isAnswer ? splitLines(words) : [],
    });
  });
  return (
    <Form onSubmit={() => save.run()}>
      <TextArea
        label="Question"
        value={question}
        onChange={setQuestion}
        rows={2}
        maxLength={2000}
        isRequired
      />
      <SelectField
        label="The bot should"
        value={expects}
        options={expectationOptions}
        onChange={(value) => setExpects(value)}
      />
      {expects === 'answer' && (
        <>
          <TextField
            label="Source"
            hint="Optional. Part of the title or URL of the document that the answer must cite."
            value={source}
            onChange={setSource}
            maxLength={500}
          />
          <TextArea
            label="Words"
            hint="Optional. Words or phrases that the answer must contain, one per line."
            value={words}
            onChange={setWords}
            rows={3}
          />
        </>
      )}
      <ProblemMessage problem={save.problem} />
      <SubmitOrCancel isBusy={save.isBusy}>Save</SubmitOrCancel>
    </Form>
  );
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
