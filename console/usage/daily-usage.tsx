import { useMemo } from 'react';
import { addDays } from '../../core/local-time.ts';
import { useBots } from '../bots/use-bots.ts';
import { withQuery } from '../client/paths.ts';
import type { UsageDay, UsageSummary } from '../client/types.ts';
import { useApi } from '../state/use-api.ts';
import { Chart } from '../components/charts/chart.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { measures, formatMonth, type UsageSelection } from './usage-selection.ts';
import { toUsageSeries } from './usage-series.ts';
import { formatDollars, formatInteger } from './usage-facts.tsx';

export interface DailyUsageProps {
  usage: UsageSummary;
  chosen: UsageSelection;
}

/** Shows the workspace's usage of each day of a month as a bar chart, with a table and a CSV file. */
export function DailyUsage({ usage, chosen }: DailyUsageProps) {
  const { groupBy, includesChildren } = chosen;
  const [from, to] = [usage.from.slice(0, 10), addDays(usage.to.slice(0, 10), -1)];
  const url = withQuery('/api/usage/daily', {
    from,
    to,
    group_by: groupBy,
    include_children: includesChildren,
  });
  const loaded = useApi<UsageDay[]>(url);
  return (
    <LoadedView loaded={loaded}>
      {(rows) => <Days rows={rows} range={{ from, to }} chosen={chosen} />}
    </LoadedView>
  );
}

interface DaysProps {
  rows: readonly UsageDay[];
  range: { from: string; to: string };
  chosen: UsageSelection;
}

function Days({ rows, range: { from, to }, chosen }: DaysProps) {
  const { month, measure, groupBy } = chosen;
  const bots = useBots();
  const data = useMemo(() => {
    const names = new Map(bots.map(({ id, name }) => [id, name]));
    return toUsageSeries(rows, { from, to, measure, groupBy, names });
  }, [rows, from, to, measure, groupBy, bots]);
  return (
    <Chart
      title={`${measures[measure]} per day, ${formatMonth(month)}`}
      data={data}
      shape="bars"
      format={measure === 'cost_usd' ? formatDollars : formatInteger}
      fileName={['usage', month, measure, groupBy].filter(Boolean).join('-')}
      empty="No usage this month"
    />
  );
}
