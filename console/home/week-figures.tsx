import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { addDays } from '../../core/local-time.ts';
import { toTimeRange } from '../bookings/day-range.ts';
import { getLocalDay } from '../bookings/times.ts';
import { withQuery } from '../client/paths.ts';
import type { AnalyticsOverview } from '../client/types.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Section } from '../components/page/section.tsx';
import { browserTimeZone } from '../components/zones/time-zones.ts';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { useApi } from '../state/use-api.ts';

const DAYS = 7;

type Figure = readonly [name: string, read: (overview: AnalyticsOverview) => number, path: readonly string[]];

const figures: readonly Figure[] = [
  ['Conversations', ({ conversations }) => conversations, ['conversations']],
  ['Resolved', ({ resolved }) => resolved, ['analytics']],
  ['Leads', ({ leads }) => leads, ['analytics']],
  ['Handoff requests', ({ handoffs }) => handoffs.requested, ['analytics']],
  ['Unanswered questions', ({ unanswered }) => unanswered, ['analytics', 'questions']],
];

/**
 * Shows the workspace's figures of the last seven days, each with the difference from the seven days before.
 */
export function WeekFigures() {
  const isAllowed = usePermission()('analytics:read', 'viewer');
  const today = getLocalDay(Date.now(), browserTimeZone);
  const week = useRangeOverview(addDays(today, 1 - DAYS), today, isAllowed);
  const before = useRangeOverview(addDays(today, 1 - 2 * DAYS), addDays(today, -DAYS), isAllowed);
  if (!isAllowed) return null;
  return (
    <Section
      title="Last 7 days"
      tools={<Anchor href={buildHref(['analytics'], { days: '7' })}>Analytics</Anchor>}
    >
      <LoadedView loaded={week}>
        {(shown) => (
          <dl className="home-figures">
            {figures.map(([name, read, segments]) => (
              <div key={name}>
                <dt>
                  <a href={buildHref(segments)}>{name}</a>
                </dt>
                <dd>
                  <strong>{read(shown)}</strong>
                  {before.data !== undefined && (
                    <span className="hint">{describeChange(read(shown), read(before.data))}</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </LoadedView>
    </Section>
  );
}

function useRangeOverview(from: string, until: string, isAllowed: boolean) {
  const url = useMemo(
    () =>
      withQuery('/api/analytics/overview', {
        ...toTimeRange({ from, until }, browserTimeZone),
        timezone: browserTimeZone,
      }),
    [from, until],
  );
  return useApi<AnalyticsOverview>(isAllowed ? url : null);
}

function describeChange(now: number, before: number): string {
  if (now === before) return 'same as the week before';
  return `${now > before ? '+' : '−'}${Math.abs(now - before)} from the week before`;
}
