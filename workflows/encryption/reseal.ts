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
 * Processes learn of a switch within 5 seconds, and wait at most 10 for a connection before they write in the former
 * mode.
 */
const UNTIL_ALL_KNOW = '16s';

const { resealSome, restartResealing, finishResealing } = proxyActivities<ResealActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  // Retries while the key is unavailable, even for days.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const { rewriteTables } = proxyActivities<ResealActivities>({
  // A large table may take hours; a missing heartbeat reveals a dead worker.
  startToCloseTimeout: '12h',
  heartbeatTimeout: '30s',
  // A full disk takes longer than seconds to be fixed.
  retry: { initialInterval: '1s', maximumInterval: '10m' },
  summary: 'Rewrite tables, so that files hold no former versions of rows',
});

interface News {
  /** The mode or the key has changed. */
  isThere: boolean;
  /** An operator wants large tables rewritten, even if requests must wait for them. */
  isRewritingAsked: boolean;
}

/**
 * Encrypts or decrypts all content of a workspace after a switch or a rotation. It repeats passes until one finds
 * nothing to convert; the last pass begins after every process knows of the switch. Then it has tables rewritten that
 * may contain former versions of rows.
 */
export async function reseal(input: ResealInput): Promise<number> {
  const news: News = { isThere: false, isRewritingAsked: false };
  setHandler(changedSignal, () => void (news.isThere = true), {
    description: 'The mode or the key has changed: walk through everything once more.',
  });
  setHandler(rewriteSignal, () => void (news.isRewritingAsked = true), {
    description: 'Rewrite large tables now, although their users wait meanwhile.',
  });
  for (let isLast = false; ;) {
    news.isThere = false;
    const walk = await runPass(input);
    const isLeft = !isLast || walk === null || walk.hasFound || news.isThere;
    if (walk === null || (!isLeft && (await finishResealing(input)))) {
      if (await rewriteAll(input, news)) return end(walk?.converted ?? 0);
      isLast = false;
      continue;
    }
    isLast = !news.isThere;
    setCurrentDetails(
      formatDetails('Waiting until every process knows of the switch', [formatProgress(walk.converted)]),
    );
    await sleep(UNTIL_ALL_KNOW);
    await restartResealing(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reseal>(input);
  }
}

async function runPass(input: ResealInput) {
  for (;;) {
    const progress = await resealSome(input);
    if (progress === null || progress.isAtEnd) return progress;
    setCurrentDetails(formatDetails(`Sealing: ${progress.place}`, [formatProgress(progress.converted)]));
  }
}

/** Returns false if there was another switch meanwhile. */
async function rewriteAll(input: ResealInput, news: News): Promise<boolean> {
  for (;;) {
    const progress = await rewriteTables({ ...input, includesLarge: news.isRewritingAsked });
    if (news.isThere) return false;
    if (!progress?.waiting) return true;
    const { table, obstacle } = progress.waiting;
    setCurrentDetails(formatDetails('Rewriting tables', [`${table} waits: ${obstacle}`]));
    const isAsked = news.isRewritingAsked;
    await condition(
      () => news.isThere || news.isRewritingAsked !== isAsked,
      Math.max(1000, Math.ceil(progress.waitSeconds * 1000)),
    );
    if (news.isThere) return false;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reseal>(input);
  }
}

function formatProgress(converted: number): string {
  return `${pluralize(converted, 'row')} so far`;
}

function end(converted: number): number {
  setCurrentDetails(converted === 0 ? 'Nothing was left to do.' : `Done: ${formatProgress(converted)}.`);
  return converted;
}
