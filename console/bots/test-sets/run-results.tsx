import { NativeSelect, Progress, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { path, withQuery } from '../../client/paths.ts';
import type { TestResult, TestResultRow, TestRun } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { Facts } from '../../components/lists/facts.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { Status } from '../../components/lists/status.tsx';
import { formatFullTime } from '../../components/text/format-time.ts';
import { MarkdownText } from '../../components/text/markdown-text.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { goTo } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { useApi } from '../../state/use-api.ts';
import { toHref } from './test-set-list.tsx';
import { expectationWords, faultWords, formatPassed, isUnfinished, runWords } from './test-set-words.ts';

export interface RunResultsProps {
  botId: string;
  setId: string;
  run: TestRun;
  runs: readonly TestRun[];
  comparedId: string | undefined;
  /** Called after the user has canceled the test run. */
  onChange(): void;
}

const UNFINISHED_EVERY_MS = 1500;

/**
 * Shows the answers of a test run and how they differ from the expected answers. Can show the answers of
 * another run next to them.
 */
export function RunResults({ botId, setId, run, runs, comparedId, onChange }: RunResultsProps) {
  const url = path`/api/ext/bots/${botId}/test-sets/${setId}/runs/${run.id}`;
  const others = runs.filter(({ id }) => id !== run.id);
  return (
    <>
      <RunSummary run={run} url={url} onChange={onChange} />
      {others.length > 0 && (
        <NativeSelect
          className="compare-select"
          label="Compare with"
          value={comparedId ?? ''}
          data={[
            { value: '', label: 'No other run' },
            ...others.map((each) => ({
              value: each.id,
              label: `${formatFullTime(each.created_at)}: ${formatPassed(each)}`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            goTo(toHref(botId, { set: setId, run: run.id, compare: value || undefined }))
          }
        />
      )}
      <Results url={url} run={run} comparedId={comparedId} />
    </>
  );
}

function RunSummary({ run, url, onChange }: { run: TestRun; url: string; onChange(): void }) {
  const { client } = useSession();
  const mayWrite = usePermission()('bots:write', 'member');
  const [tone, name] = runWords[run.status];
  const { version, cost_usd: cost, answered_count: answered, question_count: total } = run;
  return (
    <section className="card" aria-label="Summary of the run">
      <div className="section-head">
        <p className="run-outcome">
          <strong>{formatPassed(run)}</strong> <Status tone={tone}>{name}</Status>
        </p>
        {mayWrite && isUnfinished(run) && (
          <ActionButton
            onAction={async () => {
              await client.post(`${url}/cancel`);
              onChange();
            }}
          >
            Cancel run
          </ActionButton>
        )}
      </div>
      {isUnfinished(run) && (
        <Progress value={(100 * answered) / Math.max(1, total)} aria-label="Questions answered" />
      )}
      <Facts
        facts={[
          ['Bot', version === null ? 'Saved settings' : `Version ${version}`],
          ['Started', <RelativeTime key="started" at={run.created_at} />],
          ['Cost', cost === null ? null : `$${cost.toFixed(4)}`],
          ['Error', run.error_message],
        ]}
      />
    </section>
  );
}

interface ResultsProps {
  url: string;
  run: TestRun;
  comparedId: string | undefined;
}

function Results({ url, run, comparedId }: ResultsProps) {
  const [shownKind, setShownKind] = useState<keyof typeof filters>('all');
  const rows = useApi<TestResultRow[]>(withQuery(`${url}/results`, { compare_to: comparedId }), {
    everyMs: (loaded) => (isUnfinished(run) || hasGap(loaded, run)) && UNFINISHED_EVERY_MS,
  });
  return (
    <LoadedView loaded={rows}>
      {(loaded) => {
        const shown = loaded.filter(filters[shownKind]);
        return (
          <>
            <SegmentedControl
              className="test-modes"
              size="xs"
              aria-label="Results to show"
              value={shownKind}
              data={[
                { value: 'all', label: 'All' },
                { value: 'failed', label: 'Failed' },
                ...(comparedId === undefined ? [] : [{ value: 'changed', label: 'Changed' }]),
              ]}
              onChange={(chosen) => setShownKind(chosen as keyof typeof filters)}
            />
            <ol className="test-results" aria-label="Results">
              {shown.map((row) => (
                <ResultItem
                  key={row.question.id}
                  row={row}
                  isRunning={isUnfinished(run)}
                  isCompared={comparedId !== undefined}
                />
              ))}
            </ol>
            {shown.length === 0 && <p className="hint">No results match.</p>}
          </>
        );
      }}
    </LoadedView>
  );
}

const filters = {
  all: () => true,
  failed: ({ result }: TestResultRow) => result?.passed === false,
  changed: ({ result, compared }: TestResultRow) => result?.passed !== compared?.passed,
};

/**
 * Whether the results of a completed test run lack an answer, because they were loaded before the last answer
 * was stored.
 */
function hasGap(rows: readonly TestResultRow[] | undefined, { status }: TestRun): boolean {
  return status === 'completed' && rows?.some(({ result }) => result === null) === true;
}

function ResultItem({
  row: { question, result, compared },
  isRunning,
  isCompared,
}: {
  row: TestResultRow;
  isRunning: boolean;
  isCompared: boolean;
}) {
  const { source, words } = question;
  return (
    <li className="card test-result" data-passed={result?.passed}>
      <h3 dir="auto">{question.question}</h3>
      <p className="hint" dir="auto">
        Expected: {expectationWords[question.expects]}
        {source !== null && ` · from “${source}”`}
        {words.length > 0 && ` · with “${words.join('”, “')}”`}
      </p>
      <div className="result-columns" data-compared={isCompared || undefined}>
        <ResultView
          name="This run"
          result={result}
          missing={isRunning ? 'not answered yet' : 'not answered'}
          isNamed={isCompared}
        />
        {isCompared && <ResultView name="Compared run" result={compared} missing="not answered" isNamed />}
      </div>
    </li>
  );
}

interface ResultViewProps {
  name: string;
  result: TestResult | null;
  /** Text shown instead of a missing result of a test run. */
  missing: string;
  /** Whether the name of the test run is visible. */
  isNamed: boolean;
}

function ResultView({ name, result, missing, isNamed }: ResultViewProps) {
  if (result === null)
    return (
      <p className="hint">
        {name}: {missing}
      </p>
    );
  const { passed, faults, answer, sources, latency_ms: latency } = result;
  return (
    <section aria-label={name}>
      {isNamed && <h4 className="hint">{name}</h4>}
      <p className="result-head">
        <Status tone={passed ? 'good' : 'bad'}>
          {passed ? 'Passed' : faults.map((fault) => faultWords[fault]).join(', ')}
        </Status>
        <span className="hint">{latency} ms</span>
      </p>
      <div dir="auto">
        <MarkdownText text={answer} />
      </div>
      {sources.length > 0 && (
        <p className="hint" dir="auto">
          Sources: {sources.map(({ title }) => title).join(', ')}
        </p>
      )}
    </section>
  );
}
