import { Text } from '@mantine/core';
import { cutText } from '../../../core/text/cut-text.ts';
import { path } from '../../client/paths.ts';
import type { DocumentRead, QuestionCluster } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { TextArea, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';

export interface WriteAnswerProps {
  question: QuestionCluster;
  onWritten(document: DocumentRead): void;
}

/** Maximum length of a document's title. */
const MAX_TITLE = 500;

/**
 * Button that opens a form for the answer to a question. Saving creates a document with both, from which the
 * bot answers.
 */
export function WriteAnswer({ question, onWritten }: WriteAnswerProps) {
  const title = toDocumentTitle(question);
  return (
    <DialogButton name="Add answer" about={title}>
      {(close) => (
        <AnswerForm
          question={question}
          title={title}
          onWritten={(document) => {
            close();
            onWritten(document);
          }}
        />
      )}
    </DialogButton>
  );
}

function toDocumentTitle({ question }: QuestionCluster): string {
  return cutText(question.replaceAll(/\s+/g, ' ').trim(), MAX_TITLE);
}

interface AnswerFormProps extends WriteAnswerProps {
  title: string;
}

function AnswerForm({ question, title, onWritten }: AnswerFormProps) {
  const { client } = useSession();
  const { draft, change, discard } = useFormDraft(`answer/${question.id}`, { title, text: '' });
  const write = useAction(async () => {
    const document = await client.post<DocumentRead>(path`/api/bots/${question.bot_id}/knowledge`, {
      source_type: 'raw_text',
      title: draft.title,
      raw_text: draft.text,
    });
    discard();
    showConfirmation('Answer added. Indexing…');
    onWritten(document);
  });
  return (
    <Form onSubmit={() => write.run()}>
      <Text c="dimmed">We add it to the bot's knowledge.</Text>
      <TextField
        label="Question"
        value={draft.title}
        onChange={(typed) => change({ title: typed })}
        problem={describeFieldProblem(write.problem, 'title', 'The question')}
        maxLength={MAX_TITLE}
        isRequired
      />
      <TextArea
        label="Answer"
        value={draft.text}
        onChange={(typed) => change({ text: typed })}
        problem={describeFieldProblem(write.problem, 'raw_text', 'The answer')}
        isRequired
      />
      <ProblemMessage problem={write.problem} inlineFields={['title', 'raw_text']} />
      <SubmitOrCancel isBusy={write.isBusy}>Save</SubmitOrCancel>
    </Form>
  );
}
