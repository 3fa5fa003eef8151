import styles from './analytics.css';
import { adoptStyles } from '../components/theme/adopt-styles.ts';
import { NoSuchPage } from '../no-such-page.tsx';
import { AnswersPage } from './answers/answers-page.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { QuestionsPage } from './questions/questions-page.tsx';

adoptStyles(styles);

export interface AnalyticsAreaProps {
  /** Name of the analytics page in the URL; undefined for the overview. */
  part: string | undefined;
  query: Record<string, string>;
}

/** Renders the analytics page that the URL names. */
export function AnalyticsArea({ part, query }: AnalyticsAreaProps) {
  if (part === undefined) return <OverviewPage filters={query} />;
  if (part === 'answers') return <AnswersPage filters={query} />;
  return part === 'questions' ? <QuestionsPage filters={query} /> : <NoSuchPage />;
}
