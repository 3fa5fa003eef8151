import { Anchor } from '@mantine/core';
import { withQuery } from '../../client/paths.ts';
import type { QuestionCluster } from '../../client/types.ts';
import { RowSkeletons } from '../../components/page-skeleton.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { getProblem, useApi } from '../../state/queries.ts';
import { getWeekStart, useWeek } from './figures.tsx';

const SHOWN = 5;

/** Lists the questions of the week that the bot could not answer. */
export function Unanswered({ botId }: { botId: string }) {
  const mayRead = usePermission()('analytics:read', 'viewer');
  const from = getWeekStart().slice(0, 10);
  const questions = useApi<QuestionCluster[]>(
    withQuery('/api/analytics/questions', { bot_id: botId, from, limit: SHOWN }),
    { isEnabled: mayRead },
  );
  const week = useWeek(botId, mayRead);
  if (!mayRead) return null;
  const open = questions.data?.filter(({ unanswered }) => unanswered > 0);
  return (
    <Section
      title="Unanswered questions"
      tools={
        <Anchor size="sm" href={buildHref(['analytics', 'questions'], { bot_id: botId })}>
          View all
        </Anchor>
      }
    >
      <ProblemMessage problem={getProblem(questions)} onRetry={() => void questions.refetch()} />
      {questions.isPending && <RowSkeletons />}
      {open?.length === 0 && (
        <p className="muted">
          {week.data?.unanswered
            ? 'New questions appear here within five minutes.'
            : 'No unanswered questions in the last 7 days.'}
        </p>
      )}
      {open !== undefined && open.length > 0 && (
        <ul className="question-list">
          {open.map(({ id, question, unanswered, last_asked_at: at }) => (
            <li key={id}>
              <span dir="auto">{question}</span>
              <span className="muted">
                {unanswered}× · <RelativeTime at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
