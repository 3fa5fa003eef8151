import { Fragment } from 'react';
import { useBotNames } from '../../bots/use-bots.ts';
import type { DocumentRead, QuestionCluster } from '../../client/types.ts';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Table } from '../../components/table.tsx';
import { WriteAnswer } from './write-answer.tsx';
import { WrittenAnswer } from './written-answer.tsx';

export interface QuestionTableProps {
  questions: readonly QuestionCluster[];
  /** Documents that the user wrote on this page to answer questions, by question id. */
  answers: ReadonlyMap<string, DocumentRead>;
  onAnswer(id: string, document: DocumentRead): void;
}

export function QuestionTable({ questions, answers, onAnswer }: QuestionTableProps) {
  const botNames = useBotNames();
  const mayWrite = usePermission()('knowledge:write', 'member');
  return (
    <Table columns={['Question', 'Bot', 'Asked', 'Unanswered', 'Last asked']} hasActions={mayWrite}>
      {questions.map((question) => (
        <QuestionRow
          key={question.id}
          question={question}
          botName={botNames.get(question.bot_id)}
          answer={answers.get(question.id)}
          onAnswer={mayWrite ? (document) => onAnswer(question.id, document) : null}
        />
      ))}
    </Table>
  );
}

interface QuestionRowProps {
  question: QuestionCluster;
  botName: string | undefined;
  answer: DocumentRead | undefined;
  /** Called with the document that the user has written; null if the user may not write documents. */
  onAnswer: ((document: DocumentRead) => void) | null;
}

function QuestionRow({ question, botName, answer, onAnswer }: QuestionRowProps) {
  return (
    <tr data-id={question.id}>
      <td className="wide">
        <strong className="row-name" dir="auto" title={question.question}>
          {question.question}
        </strong>
        <p className="hint">
          {question.conversation_ids.map((id, index) => (
            <Fragment key={id}>
              {index > 0 && ' · '}
              <a href={buildHref(['conversations', id])}>Conversation {index + 1}</a>
            </Fragment>
          ))}
        </p>
        {answer && onAnswer && (
          <WrittenAnswer botId={question.bot_id} document={answer} onChange={onAnswer} />
        )}
      </td>
      <td>{botName ?? '–'}</td>
      <td>{question.asked}</td>
      <td>{question.unanswered}</td>
      <td>
        <RelativeTime at={question.last_asked_at} />
      </td>
      {onAnswer && (
        <td>
          <WriteAnswer question={question} onWritten={onAnswer} />
        </td>
      )}
    </tr>
  );
}
