import { toTimeRange, type DayRange } from '../../bookings/day-range.ts';
import { withQuery } from '../../client/paths.ts';
import type { AnalyticsOverview } from '../../client/types.ts';
import { useLoaded, type Loaded } from '../../state/use-loaded.ts';
import { useSession } from '../../session/session.tsx';
import type { DailyOverview } from './overview-data.ts';
import { splitRange } from './overview-range.ts';

/**
 * Loads the analytics overview of a range of days. For a long range, requests shorter parts as well, since
 * the API omits daily figures of long ranges.
 * @param range days to load; null to load nothing
 */
export function useOverview(
  range: DayRange | null,
  zone: string,
  botId: string | undefined,
): Loaded<DailyOverview> {
  const { client } = useSession();
  return useLoaded(
    ['analytics', range, zone, botId],
    async (signal) => {
      const fetchOverview = (moments: { from: string; to: string }) =>
        client.get<AnalyticsOverview>(
          withQuery('/api/analytics/overview', { ...moments, bot_id: botId, timezone: zone }),
          signal,
        );
      const whole = await fetchOverview(toTimeRange(range!, zone));
      const parts =
        whole.days === null ? await Promise.all(splitRange(range!, zone).map(fetchOverview)) : [whole];
      return { ...whole, days: parts.flatMap(requireDays) };
    },
    { isEnabled: range !== null },
  );
}

/**
 * Returns the daily figures of an analytics response.
 * @throws Error if daily figures are missing, since the chart would have a gap
 */
function requireDays({ days, from, to }: AnalyticsOverview): DailyOverview['days'] {
  if (days === null) throw new Error(`The response contains no daily figures from ${from} to ${to}.`);
  return days;
}
