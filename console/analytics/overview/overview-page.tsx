import { Page } from '../../ui/page.tsx';
import { AnalyticsTabs } from '../analytics-tabs.tsx';

export interface OverviewPageProps {
  filters: Record<string, string>;
}

export function OverviewPage(_: OverviewPageProps) {
  return (
    <Page title="Analytics">
      <AnalyticsTabs current="overview" />
    </Page>
  );
}
