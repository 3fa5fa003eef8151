import styles from './analytics.css';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { NoSuchPage } from '../no-such-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { QuestionsPage } from './questions/questions-page.tsx';

adoptStyles(styles);

export interface AnalyticsAreaProps {
  /** A page of the area; the overview without one. */
  part: string | undefined;
  query: Record<string, string>;
}

/** What conversations come to. */
export function AnalyticsArea({ part, query }: AnalyticsAreaProps) {
  if (part === undefined) return <OverviewPage filters={query} />;
  return part === 'questions' ? <QuestionsPage filters={query} /> : <NoSuchPage />;
}
