import { describeFieldProblem } from '../client/describe-problem.ts';
import { TextArea, TextField } from '../components/forms/fields.tsx';
import { Form } from '../components/forms/form.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { SubmitOrCancel } from '../components/forms/submit-or-cancel.tsx';
import { useFormDraft } from '../state/use-form-draft.ts';
import { useAddSource, type SourceFormProps } from './use-add-source.ts';

/** Form that adds a text to the bot's documents. */
export function TextForm(props: SourceFormProps) {
  const { draft, change, discard } = useFormDraft(`${props.url}/text`, { title: '', text: '' });
  const add = useAddSource(props, discard);
  return (
    <Form
      onSubmit={() => add.run({ source_type: 'raw_text', title: draft.title.trim(), raw_text: draft.text })}
    >
      <TextField
        label="Title (optional)"
        maxLength={500}
        value={draft.title}
        onChange={(title) => change({ title })}
        problem={describeFieldProblem(add.problem, 'title', 'The title')}
        isFocused
      />
      <TextArea
        label="Text"
        hint="Plain text or Markdown."
        rows={12}
        value={draft.text}
        onChange={(text) => change({ text })}
        problem={describeFieldProblem(add.problem, 'raw_text', 'The text')}
        isRequired
      />
      <ProblemMessage problem={add.problem} inlineFields={['title', 'raw_text']} />
      <SubmitOrCancel isBusy={add.isBusy} onCancel={discard}>
        Add text
      </SubmitOrCancel>
    </Form>
  );
}

/** Form that adds a question with its answer to the bot's documents. */
export function QuestionForm(props: SourceFormProps) {
  const { draft, change, discard } = useFormDraft(`${props.url}/question`, { question: '', answer: '' });
  const add = useAddSource(props, discard);
  const question = draft.question.trim();
  return (
    <Form
      onSubmit={() =>
        add.run({ source_type: 'raw_text', is_qa: true, title: question, raw_text: draft.answer })
      }
    >
      <TextField
        label="Question"
        placeholder="Do you ship abroad?"
        maxLength={500}
        value={draft.question}
        onChange={(typed) => change({ question: typed })}
        problem={describeFieldProblem(add.problem, 'title', 'The question')}
        isRequired
        isFocused
      />
      <TextArea
        label="Answer"
        rows={6}
        value={draft.answer}
        onChange={(answer) => change({ answer })}
        problem={describeFieldProblem(add.problem, 'raw_text', 'The answer')}
        isRequired
      />
      <ProblemMessage problem={add.problem} inlineFields={['title', 'raw_text']} />
      <SubmitOrCancel isBusy={add.isBusy} onCancel={discard}>
        Add Q&A
      </SubmitOrCancel>
    </Form>
  );
}
