import { NoSuchPage } from '../no-such-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';

export interface AnalyticsAreaProps {
  /** A page of the area; the overview without one. */
  part: string | undefined;
  query: Record<string, string>;
}

/** What conversations come to. */
export function AnalyticsArea({ part, query }: AnalyticsAreaProps) {
  return part === undefined ? <OverviewPage filters={query} /> : <NoSuchPage />;
}
