import { adoptStyles } from '../../components/theme/adopt-styles.ts';
import { TestSetList } from './test-set-list.tsx';
import { TestSetPage } from './test-set-page.tsx';
import styles from './test-sets.css';

adoptStyles(styles);

export interface TestSetsProps {
  botId: string;
  /** Query of the URL: ids of the open test set and run, and of the run to compare with. */
  query: Readonly<Record<string, string>>;
}

/** Lists the test sets of a bot, or shows one of them. */
export function TestSets({ botId, query: { set, run, compare } }: TestSetsProps) {
  if (set === undefined) return <TestSetList botId={botId} />;
  return <TestSetPage key={set} botId={botId} id={set} runId={run} comparedId={compare} />;
}
