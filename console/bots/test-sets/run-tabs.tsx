import { Tabs } from '../../components/page/tabs.tsx';
import type { TestRun } from '../../client/types.ts';
import { formatFullTime } from '../../components/text/format-time.ts';
import { toHref } from './test-set-list.tsx';

export interface RunTabsProps {
  botId: string;
  setId: string;
  /** Runs of the test set, newest first. */
  runs: readonly TestRun[];
  /** Id of the open test run; undefined for the questions. */
  current: string | undefined;
}

/** Tabs for the questions of a test set, and for its last run or the run that is open. */
export function RunTabs({ botId, setId, runs, current }: RunTabsProps) {
  const [newest] = runs;
  const shown = runs.find(({ id }) => id === current) ?? newest;
  return (
    <Tabs
      label="Test set"
      current={current === undefined ? 'questions' : 'results'}
      tabs={[
        { id: 'questions', name: 'Questions', href: toHref(botId, { set: setId }) },
        ...(shown === undefined
          ? []
          : [
              {
                id: 'results',
                name: shown === newest ? 'Last run' : `Run of ${formatFullTime(shown.created_at)}`,
                href: toHref(botId, { set: setId, run: shown.id }),
              },
            ]),
      ]}
    />
  );
}
