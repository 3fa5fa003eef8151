import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ResealActivities } from '../../activities/encryption/reseal.activities.ts';
import type { ResealInput } from '../../core/workflows/commands.ts';
import { pluralize, formatDetails } from '../../core/workflows/format.ts';

const changedSignal = defineSignal('changed');
const rewriteSignal = defineSignal('rewrite');

/**
 * Time after a switch of the encryption mode in which processes may still write in the previous mode. A
 * process notices the switch within 5 seconds, and a write may have waited up to 10 seconds for a connection.
 */
const SWITCH_PROPAGATION_TIME = '16s';

const { resealSome, restartResealing, finishResealing } = proxyActivities<ResealActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  // Retry without a limit: the workspace's key may be unavailable for days.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const { rewriteTables } = proxyActivities<ResealActivities>({
  // Allow hours for rewriting a large table. If the worker dies, missing heartbeats reveal that.
  startToCloseTimeout: '12h',
  heartbeatTimeout: '30s',
  // Use long pauses between retries: a full disk is not fixed within seconds.
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'Rewrite tables, so that files contain no previous versions of rows',
});

interface ResealSignals {
  /** True if the workspace's encryption mode or key has changed again. */
  hasChanged: boolean;
  /** True if an operator wants large tables rewritten as well, although requests must wait meanwhile. */
  includesLargeTables: boolean;
}

/**
 * Encrypts or decrypts all content of a workspace after its mode or key has changed. Repeats passes over all
 * tables until one finds nothing to convert. The last pass starts when every process writes in the new mode.
 * Finally rewrites tables whose files may still contain previous versions of rows.
 */
export async function reseal(input: ResealInput): Promise<number> {
  const signals: ResealSignals = { hasChanged: false, includesLargeTables: false };
  setHandler(changedSignal, () => void (signals.hasChanged = true), {
    description: 'Make another pass over all rows, because the mode or the key has changed.',
  });
  setHandler(rewriteSignal, () => void (signals.includesLargeTables = true), {
    description: 'Rewrite large tables now, although this blocks requests.',
  });
  for (let isLast = false; ;) {
    signals.hasChanged = false;
    const pass = await runPass(input);
    const isLeft = !isLast || pass === null || pass.hasFound || signals.hasChanged;
    if (pass === null || (!isLeft && (await finishResealing(input)))) {
      if (await rewriteAll(input, signals)) return showConverted(pass?.converted ?? 0);
      isLast = false;
      continue;
    }
    isLast = !signals.hasChanged;
    setCurrentDetails(
      formatDetails('Waiting until every process writes in the new mode', [formatProgress(pass.converted)]),
    );
    await sleep(SWITCH_PROPAGATION_TIME);
    await restartResealing(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reseal>(input);
  }
}

async function runPass(input: ResealInput) {
  for (;;) {
    const progress = await resealSome(input);
    if (progress === null || progress.isAtEnd) return progress;
    setCurrentDetails(formatDetails(`Resealing: ${progress.place}`, [formatProgress(progress.converted)]));
  }
}

/**
 * Rewrites the tables whose files may contain previous versions of rows. Returns false if the encryption mode
 * or key has changed meanwhile, so that another pass over the content is needed.
 */
async function rewriteAll(input: ResealInput, signals: ResealSignals): Promise<boolean> {
  for (;;) {
    const progress = await rewriteTables({ ...input, includesLarge: signals.includesLargeTables });
    if (signals.hasChanged) return false;
    if (!progress?.waiting) return true;
    const { table, obstacle } = progress.waiting;
    setCurrentDetails(formatDetails('Rewriting tables', [`${table} waits: ${obstacle}`]));
    const { includesLargeTables } = signals;
    await condition(
      () => signals.hasChanged || signals.includesLargeTables !== includesLargeTables,
      Math.max(1000, Math.ceil(progress.waitSeconds * 1000)),
    );
    if (signals.hasChanged) return false;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reseal>(input);
  }
}

function formatProgress(converted: number): string {
  return `${pluralize(converted, 'row')} converted`;
}

function showConverted(converted: number): number {
  setCurrentDetails(
    converted === 0 ? 'All rows had already been converted.' : `Done: ${formatProgress(converted)}.`,
  );
  return converted;
}
