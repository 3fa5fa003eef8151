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
  /** Range of days in the charts, as the suffix of names of downloaded files. */
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
        title="Conversations per day"
        shape="lines"
        data={data.conversations}
        fileName={`conversations-${range}`}
        empty="No conversations in this period"
      />
      <Chart
        title="Leads and handoffs per day"
        shape="lines"
        data={data.leads}
        fileName={`leads-${range}`}
        empty="No leads or handoffs in this period"
      />
      <Chart
        title="Ratings"
        shape="bars"
        data={data.ratings}
        fileName={`ratings-${range}`}
        empty="No ratings in this period"
      />
      <Chart
        title="Response time"
        shape="bars"
        data={data.durations}
        format={formatLatency}
        fileName={`times-${range}`}
        empty="No responses in this period"
      />
    </div>
  );
}
