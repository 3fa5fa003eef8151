import { Button } from '@mantine/core';
import { useState } from 'react';
import { cutText } from '../../../core/text/cut-text.ts';
import { path } from '../../client/paths.ts';
import type { AnswerDraft, AnswerTrial, KnowledgeDocument, QuestionCluster } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { useSession } from '../../session/session.tsx';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { TextArea, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { Status } from '../../components/lists/status.tsx';
import { MarkdownText } from '../../components/text/markdown-text.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';

export interface WriteAnswerProps {
  question: QuestionCluster;
  onWritten(document: KnowledgeDocument): void;
}

const originWords: Readonly<Record<AnswerDraft['source'], string>> = {
  team: 'Drafted from your team’s replies. Remove personal details.',
  documents: 'Drafted from the documents. Check the answer before you publish it.',
  none: 'No answer found in your team’s replies or documents. Write one yourself.',
};

/** Maximum number of characters in the title of the document with the answer. */
const MAX_TITLE = 500;

/**
 * Button that opens a form for the answer to a visitors' question. Saving creates a document with the
 * question and the answer, from which the bot answers.
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
  const bot = path`/api/ext/bots/${question.bot_id}`;
  const [origin, setOrigin] = useState<AnswerDraft['source'] | null>(null);
  /** Text of the answer directly after the last draft was inserted. */
  const [proposed, setProposed] = useState('');
  const [message, setMessage] = useState(title);
  const [trial, setTrial] = useState<AnswerTrial | null>(null);
  const edit = (changed: Partial<typeof draft>): void => {
    change(changed);
    setTrial(null);
  };
  const propose = useAction(async () => {
    const drafted = await client.post<AnswerDraft>(`${bot}/answer-drafts`, {
      question: draft.title,
      conversation_ids: question.conversation_ids,
    });
    // Keep the text that the user has written above the drafted answer, but replace an earlier draft.
    const written = draft.text === proposed ? '' : draft.text.trim();
    const text = [written, drafted.answer].filter(Boolean).join('\n\n');
    change({ text });
    setProposed(text);
    setTrial(null);
    setOrigin(drafted.source);
  });
  const test = useAction(async () => {
    setTrial(null);
    const entry = { question: draft.title, answer: draft.text };
    setTrial(await client.post<AnswerTrial>(`${bot}/answer-drafts/test`, { message, ...entry }));
  });
  const write = useAction(async () => {
    const document = await client.post<KnowledgeDocument>(path`/api/bots/${question.bot_id}/knowledge`, {
      source_type: 'raw_text',
      is_qa: true,
      title: draft.title,
      raw_text: draft.text,
    });
    discard();
    showConfirmation('Answer published. Indexing…');
    onWritten(document);
  });
  return (
    <Form onSubmit={() => write.run()}>
      <TextField
        label="Question"
        value={draft.title}
        onChange={(typed) => edit({ title: typed })}
        problem={describeFieldProblem(write.problem, 'title', 'The question')}
        maxLength={MAX_TITLE}
        isRequired
      />
      <TextArea
        label="Answer"
        value={draft.text}
        onChange={(typed) => edit({ text: typed })}
        problem={describeFieldProblem(write.problem, 'raw_text', 'The answer')}
        rows={6}
        isRequired
      />
      <div className="answer-tools">
        <Button
          variant="default"
          loading={propose.isBusy}
          disabled={draft.title.trim() === ''}
          onClick={() => propose.run()}
        >
          Draft an answer
        </Button>
        <span className="hint" aria-live="polite">
          {origin !== null && originWords[origin]}
        </span>
      </div>
      <ProblemMessage problem={propose.problem} />
      {draft.text.trim() !== '' && (
        <fieldset className="answer-trial">
          <legend>Test before publishing</legend>
          <div className="answer-tools">
            <TextField label="Message" value={message} onChange={setMessage} maxLength={2000} />
            <Button
              variant="default"
              loading={test.isBusy}
              disabled={message.trim() === ''}
              onClick={() => test.run()}
            >
              Test
            </Button>
          </div>
          <ProblemMessage problem={test.problem} />
          <div aria-live="polite">{trial && <TrialResult trial={trial} />}</div>
        </fieldset>
      )}
      <ProblemMessage problem={write.problem} inlineFields={['title', 'raw_text']} />
      <SubmitOrCancel isBusy={write.isBusy}>Publish</SubmitOrCancel>
    </Form>
  );
}

function TrialResult({
  trial: { content, citations, uses_entry: usesEntry, is_unanswered, error },
}: {
  trial: AnswerTrial;
}) {
  return (
    <>
      <Status tone={usesEntry ? 'good' : 'busy'}>
        {usesEntry ? 'Uses this answer' : is_unanswered ? 'No answer' : 'Uses other sources'}
      </Status>
      {error === null ? (
        <MarkdownText text={content} citations={citations} />
      ) : (
        <p className="hint">{error}</p>
      )}
    </>
  );
}
