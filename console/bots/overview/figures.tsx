import { Skeleton } from '@mantine/core';
import type { AnalyticsOverview, Bot } from '../../client/types.ts';
import { withQuery } from '../../client/paths.ts';
import { formatCount } from '../../components/text/format-count.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { buildHref } from '../../router.ts';
import { usePermission } from '../../session/use-permission.ts';
import { useApi } from '../../state/use-api.ts';

const DAYS = 7;

/** Returns the start of the seven days that the page shows: midnight, six days ago. */
export function getWeekStart(): string {
  const start = new Date();
  start.setHours(0, 0, 0, 0);
  start.setDate(start.getDate() + 1 - DAYS);
  return start.toISOString();
}

/** Loads a bot's figures of the last seven days. */
export function useWeek(botId: string, mayRead: boolean) {
  return useApi<AnalyticsOverview>(
    mayRead ? withQuery('/api/analytics/overview', { bot_id: botId, from: getWeekStart() }) : null,
  );
}

/** Shows a bot's figures of the last seven days, and the size of its knowledge. */
export function Figures({ bot }: { bot: Bot }) {
  const mayRead = usePermission()('analytics:read', 'viewer');
  const week = useWeek(bot.id, mayRead);
  const figures = buildHref(['analytics'], { bot_id: bot.id, days: String(DAYS) });
  const percent = (rate: number | null | undefined): string =>
    typeof rate === 'number' ? `${Math.round(rate * 100)}%` : '–';
  return (
    <>
      <ProblemMessage problem={week.problem} onRetry={week.reload} />
      <div className="figures" role="group" aria-label="Last 7 days">
        {mayRead && (
          <>
            <Figure name="Conversations" value={week.data?.conversations} href={figures} note="last 7 days" />
            <Figure
              name="Self-served"
              value={week.data && percent(week.data.self_service_rate)}
              href={figures}
              note="of ended conversations"
            />
            <Figure
              name="Unanswered"
              value={week.data?.unanswered}
              href={buildHref(['analytics', 'questions'], { bot_id: bot.id })}
              note="last 7 days"
            />
          </>
        )}
        <Figure
          name="Knowledge"
          value={bot.indexed_chunk_count}
          href={buildHref(['bots', bot.id, 'knowledge'])}
          note={formatCount(bot.indexed_chunk_count, 'passage').replace(/^\d+ /, '')}
        />
      </div>
    </>
  );
}

interface FigureProps {
  name: string;
  value: string | number | undefined;
  note: string;
  href: string;
}

function Figure({ name, value, note, href }: FigureProps) {
  return (
    <a className="figure" href={href}>
      <span className="figure-name">{name}</span>
      {value === undefined ? <Skeleton height={28} width={56} /> : <strong>{value}</strong>}
      <span className="figure-note">{note}</span>
    </a>
  );
}
