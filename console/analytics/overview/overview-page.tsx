import { Button } from '@mantine/core';
import { isTimeZone } from '../../../core/time-zone.ts';
import { findRangeProblem, toTimeRange } from '../../bookings/day-range.ts';
import { getLocalDay, toKnownZone } from '../../bookings/times.ts';
import { useLoaded } from '../../state/use-loaded.ts';
import { useNow } from '../../state/use-now.ts';
import { loadWorkspaceZone } from '../../state/load-workspace-zone.ts';
import { goTo, buildHref, currentRoute } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { IconAnalytics, IconDownload } from '../../shell/icons.ts';
import { Page } from '../../components/page/page.tsx';
import { saveFile } from '../../components/save-file.ts';
import { AnalyticsTabs } from '../analytics-tabs.tsx';
import { OverviewCharts } from './overview-charts.tsx';
import { isQuiet, toTilesCsv, toTiles, type DailyOverview } from './overview-data.ts';
import { OverviewFilters } from './overview-filters.tsx';
import { MAX_DAYS, readRange } from './overview-range.ts';
import { OverviewTiles } from './overview-tiles.tsx';
import { useOverview } from './use-overview.ts';

export interface OverviewPageProps {
  filters: Record<string, string>;
}

const MINUTE_MS = 60_000;

/** Page with the overview of analytics: figures and charts for a range of days. */
export function OverviewPage({ filters }: OverviewPageProps) {
  const { client, me } = useSession();
  const orgId = me.data?.organization?.id;
  const defaultZone = useLoaded(['time zone', orgId], (signal) => loadWorkspaceZone(client, orgId, signal));
  if (me.data !== undefined && defaultZone.data !== undefined)
    return <Overview filters={filters} defaultZone={toKnownZone(defaultZone.data)} />;
  return (
    <Page title="Analytics" tabs={<AnalyticsTabs current="overview" />}>
      <LoadedView loaded={me}>{() => <LoadedView loaded={defaultZone}>{() => null}</LoadedView>}</LoadedView>
    </Page>
  );
}

function Overview({ filters, defaultZone }: OverviewPageProps & { defaultZone: string }) {
  const requestedZone = filters['timezone'] ?? defaultZone;
  const zone = isTimeZone(requestedZone) ? requestedZone : defaultZone;
  const range = readRange(filters, getLocalDay(useNow(MINUTE_MS), zone));
  const problems = {
    range: findRangeProblem(range, MAX_DAYS),
    zone: zone === requestedZone ? undefined : 'Unknown time zone',
  };
  const overview = useOverview(problems.range === undefined ? range : null, zone, filters['bot_id']);
  const days = `${range.from}-${range.until}`;
  // Read the current URL, which may be newer than the URL with which this function was rendered.
  const filterBy = (changed: Record<string, string>): void =>
    goTo(buildHref(['analytics'], { ...currentRoute().query, ...changed }));
  return (
    <Page
      title="Analytics"
      tools={
        overview.data && !isQuiet(overview.data) && <ExportButton overview={overview.data} days={days} />
      }
      tabs={<AnalyticsTabs current="overview" />}
    >
      <OverviewFilters
        filters={filters}
        range={range}
        zone={requestedZone}
        problems={problems}
        onChange={filterBy}
      />
      {problems.range === undefined && (
        <LoadedView loaded={overview}>
          {(shown) => (
            <Figures
              overview={shown}
              days={days}
              filters={{ ...toTimeRange(range, zone), bot_id: filters['bot_id'] }}
            />
          )}
        </LoadedView>
      )}
    </Page>
  );
}

/** Button that downloads the figures of the analytics overview as a CSV file. */
function ExportButton({ overview, days }: { overview: DailyOverview; days: string }) {
  const saveCsv = (): void =>
    saveFile(new Blob([toTilesCsv(toTiles(overview))], { type: 'text/csv' }), `analytics-${days}.csv`);
  return (
    <Button variant="default" leftSection={<IconDownload />} onClick={saveCsv}>
      Export CSV
    </Button>
  );
}

interface FiguresProps {
  overview: DailyOverview;
  /** Range of days in the overview, as the suffix of names of downloaded files. */
  days: string;
  filters: Record<string, string | undefined>;
}

function Figures({ overview, days, filters }: FiguresProps) {
  if (isQuiet(overview))
    return (
      <EmptyState icon={<IconAnalytics size={32} />} title="No data for this period">
        Choose a different period, or add a bot to your site.
      </EmptyState>
    );
  return (
    <>
      <OverviewTiles tiles={toTiles(overview)} filters={filters} />
      <OverviewCharts overview={overview} range={days} />
    </>
  );
}
