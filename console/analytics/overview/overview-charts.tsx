import { useMemo } from 'react';
import { Chart } from '../../components/charts/chart.tsx';
import {
  chartConversations,
  chartDurations,
  formatLatency,
  chartLeads,
  chartRatings,
  type DailyOverview,
} from './overview-data.ts';

export interface OverviewChartsProps {
  overview: DailyOverview;
  /** Range of days, as the suffix of names of downloaded files. */
  range: string;
}

export function OverviewCharts({ overview, range }: OverviewChartsProps) {
  const data = useMemo(
    () => ({
      conversations: chartConversations(overview),
      leads: chartLeads(overview),
      ratings: chartRatings(overview),
      durations: chartDurations(overview),
    }),
    [overview],
  );
  return (
    <div className="columns">
      <Chart
        title="Conversations by day"
        shape="lines"
        data={data.conversations}
        fileName={`conversations-${range}`}
        empty="No conversation began in these days."
      />
      <Chart
        title="Leads and requests for people by day"
        shape="lines"
        data={data.leads}
        fileName={`leads-${range}`}
        empty="No visitor left details or asked for a person in these days."
      />
      <Chart
        title="Ratings"
        shape="bars"
        data={data.ratings}
        fileName={`ratings-${range}`}
        empty="No session of these days is rated."
      />
      <Chart
        title="Time that answers take"
        shape="bars"
        data={data.durations}
        format={formatLatency}
        fileName={`times-${range}`}
        empty="No bot answered in these days."
      />
    </div>
  );
}
