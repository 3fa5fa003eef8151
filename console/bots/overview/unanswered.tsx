import { Anchor } from '@mantine/core';
import { withQuery } from '../../client/paths.ts';
import type { QuestionCluster } from '../../client/types.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { Section } from '../../components/page/section.tsx';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { useApi } from '../../state/use-api.ts';
import { getWeekStart, useWeek } from './figures.tsx';

const SHOWN = 5;

/** Lists the questions of the week that the bot could not answer. */
export function Unanswered({ botId }: { botId: string }) {
  const mayRead = usePermission()('analytics:read', 'viewer');
  const from = getWeekStart().slice(0, 10);
  const questions = useApi<QuestionCluster[]>(
    mayRead ? withQuery('/api/analytics/questions', { bot_id: botId, from, limit: SHOWN }) : null,
  );
  const week = useWeek(botId, mayRead);
  if (!mayRead) return null;
  return (
    <Section
      title="Unanswered questions"
      tools={
        <Anchor size="sm" href={buildHref(['analytics', 'questions'], { bot_id: botId })}>
          View all
        </Anchor>
      }
    >
      <LoadedView loaded={questions}>
        {(all) => (
          <QuestionList
            questions={all.filter(({ unanswered }) => unanswered > 0)}
            hasNewer={Boolean(week.data?.unanswered)}
          />
        )}
      </LoadedView>
    </Section>
  );
}

interface QuestionListProps {
  questions: readonly QuestionCluster[];
  /** Whether the bot has newer unanswered questions that are not listed yet. */
  hasNewer: boolean;
}

function QuestionList({ questions, hasNewer }: QuestionListProps) {
  if (questions.length === 0)
    return (
      <p className="hint">
        {hasNewer
          ? 'New questions appear here within five minutes.'
          : 'No unanswered questions in the last 7 days.'}
      </p>
    );
  return (
    <ul className="question-list">
      {questions.map(({ id, question, unanswered, last_asked_at: at }) => (
        <li key={id}>
          <span dir="auto">{question}</span>
          <span className="hint">
            {unanswered}× · <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
