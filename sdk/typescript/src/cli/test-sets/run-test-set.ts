import type { TestResultRead, TestRunRead } from '../../generated/models.ts';
import { Unfinished, Unsuccessful, UsageError, writeResult, type Context } from '../command.ts';
import { ProgressLine } from '../knowledge/progress-line.ts';
import { parseCount } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';

const POLL_MS = 1000;

/**
 * Runs a test set of a bot, and writes the outcome.
 * @throws Unsuccessful if the run failed, or fewer answers passed than `--bar` asks for
 * @throws Unfinished on a timeout or Ctrl-C
 */
export async function runTestSet(context: Context): Promise<void> {
  const { client, args, values, err } = context;
  const [botId = '', setId = ''] = args;
  const bar = readBar(context);
  const version =
    values['version'] === undefined ? {} : { version: parseCount('--version', String(values['version'])) };
  const started = await client.testSets.startRun(botId, setId, version);
  const run = await waitForRun(context, started);
  if (run.status !== 'completed') throw new Error(run.error_message ?? `The run was ${run.status}.`);
  const results = await client.testSets.listResults(botId, setId, run.id);
  writeResult(context, { run, results }, () => formatReport(run, results));
  if (run.passed_count * 100 < bar * run.question_count) {
    err(`Fewer than ${bar}% of the answers passed.\n`);
    throw new Unsuccessful('');
  }
}

/** Formats the outcome of a test run: `37 of 40 passed`, or its status. */
export function formatOutcome({ status, passed_count: passed, question_count: total }: TestRunRead): string {
  return status === 'completed' ? `${passed} of ${total} passed` : status;
}

/** @throws UsageError if the value of `--bar` is no percentage */
function readBar({ values }: Context): number {
  const bar = parseCount('--bar', String(values['bar']));
  if (bar > 100) throw new UsageError(`--bar must be a number from 1 to 100, not ${bar}.`);
  return bar;
}

async function waitForRun(context: Context, { bot_id: botId, test_set_id: setId, id }: TestRunRead) {
  const { client, isJson, values } = context;
  const signal = context.onInterrupt();
  const end = Date.now() + parseCount('--timeout', String(values['timeout'])) * 1000;
  const line = new ProgressLine(context);
  try {
    for (;;) {
      const run = await client.testSets.getRun(botId, setId, id);
      if (!isJson) line.show(`${run.answered_count} of ${run.question_count} answered`);
      if (run.status !== 'pending' && run.status !== 'running') return run;
      if (signal.aborted) throw new Unfinished('The run continues.', 'interrupted');
      if (Date.now() > end) throw new Unfinished('The run continues.', 'late');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  } finally {
    line.end();
  }
}

function formatReport(run: TestRunRead, results: readonly TestResultRead[]): string {
  const failed = results.flatMap(({ question, result }) =>
    result === null || result.passed
      ? []
      : [
          `✗ ${oneLine(question.question)}`,
          `  ${result.faults.join(', ').replaceAll('_', ' ')}: ${oneLine(result.answer)}`,
        ],
  );
  return [...failed, formatOutcome(run)].join('\n');
}
