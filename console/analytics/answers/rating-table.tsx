import { useBotNames } from '../../bots/use-bots.ts';
import type { AnswerRating } from '../../client/types.ts';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { RatingMark } from '../../conversations/ratings/rating-mark.tsx';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { QuestionMenu } from '../questions/question-menu.tsx';

/** Table of the answers that visitors rated. */
export function RatingTable({ ratings }: { ratings: readonly AnswerRating[] }) {
  const botNames = useBotNames();
  const mayTest = usePermission()('bots:write', 'member');
  const columns: DataColumn<AnswerRating>[] = [
    { name: 'Question', render: (rating) => <QuestionCell rating={rating} /> },
    { name: 'Rating', render: (rating) => <RatingMark rating={rating} /> },
    { name: 'Bot', render: ({ bot_id: botId }) => botNames.get(botId) ?? '–' },
    { name: 'Rated', render: ({ created_at: at }) => <RelativeTime at={at} /> },
    ...(mayTest
      ? [
          {
            name: 'Actions',
            kind: 'actions' as const,
            render: ({ question, bot_id: botId }: AnswerRating) =>
              question !== null && <QuestionMenu question={question} botId={botId} />,
          },
        ]
      : []),
  ];
  return <DataTable label="Rated answers" rows={ratings} columns={columns} />;
}

function QuestionCell({ rating: { question, comment, conversation_id: id } }: { rating: AnswerRating }) {
  return (
    <div className="question-cell">
      <strong className="question-text" dir="auto" title={question ?? undefined}>
        {question ?? 'No question'}
      </strong>
      {comment !== null && (
        <q className="rating-comment" dir="auto">
          {comment}
        </q>
      )}
      <span className="cell-note">
        <a href={buildHref(['conversations', id])}>Conversation</a>
      </span>
    </div>
  );
}
