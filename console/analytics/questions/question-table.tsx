import { Fragment } from 'react';
import { useBotNames } from '../../bots/use-bots.ts';
import type { KnowledgeDocument, QuestionCluster } from '../../client/types.ts';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { QuestionMenu } from './question-menu.tsx';
import { WriteAnswer } from './write-answer.tsx';
import { WrittenAnswer } from './written-answer.tsx';

export interface QuestionTableProps {
  questions: readonly QuestionCluster[];
  /** Documents in which the user has answered questions on this page, by question id. */
  answers: ReadonlyMap<string, KnowledgeDocument>;
  onAnswer(id: string, document: KnowledgeDocument): void;
}

export function QuestionTable({ questions, answers, onAnswer }: QuestionTableProps) {
  const botNames = useBotNames();
  const mayWrite = usePermission()('knowledge:write', 'member');
  const mayTest = usePermission()('bots:write', 'member');
  const columns: DataColumn<QuestionCluster>[] = [
    {
      name: 'Question',
      render: (question) => (
        <QuestionCell
          question={question}
          answer={mayWrite ? answers.get(question.id) : undefined}
          onChange={(document) => onAnswer(question.id, document)}
        />
      ),
    },
    { name: 'Bot', render: ({ bot_id: botId }) => botNames.get(botId) ?? '–' },
    { name: 'Asked', kind: 'number', render: ({ asked }) => asked },
    { name: 'Unanswered', kind: 'number', render: ({ unanswered }) => unanswered },
    { name: 'Last asked', render: ({ last_asked_at: at }) => <RelativeTime at={at} /> },
    ...(mayWrite
      ? [
          {
            name: 'Actions',
            kind: 'actions' as const,
            render: (question: QuestionCluster) => (
              <div className="question-actions">
                <WriteAnswer question={question} onWritten={(document) => onAnswer(question.id, document)} />
                {mayTest && <QuestionMenu question={question.question} botId={question.bot_id} />}
              </div>
            ),
          },
        ]
      : []),
  ];
  return <DataTable label="Questions" rows={questions} columns={columns} />;
}

interface QuestionCellProps {
  question: QuestionCluster;
  answer: KnowledgeDocument | undefined;
  onChange(document: KnowledgeDocument): void;
}

/**
 * Table cell with a visitors' question, links to the conversations that contain it, and the answer that the
 * user has added.
 */
function QuestionCell({ question, answer, onChange }: QuestionCellProps) {
  return (
    <div className="question-cell">
      <strong className="question-text" dir="auto" title={question.question}>
        {question.question}
      </strong>
      <span className="cell-note">
        {question.conversation_ids.map((id, index) => (
          <Fragment key={id}>
            {index > 0 && ' · '}
            <a href={buildHref(['conversations', id])}>Conversation {index + 1}</a>
          </Fragment>
        ))}
      </span>
      {answer && <WrittenAnswer botId={question.bot_id} document={answer} onChange={onChange} />}
    </div>
  );
}
