import {
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ResealActivities } from '../../activities/encryption/reseal.activities.ts';
import type { ResealInput } from '../shared/commands.ts';
import { counted, detailsOf } from '../shared/format.ts';

export const changedSignal = defineSignal('changed');

/** Processes may write as before for half as long after a switch. */
const UNTIL_ALL_KNOW = '10s';

const { resealSome, restartResealing, finishResealing } = proxyActivities<ResealActivities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '30s',
  // A key that is out of reach is waited for, be that days.
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/**
 * Seals all content of a workspace, or opens it, after a switch or a rotation. It walks through all of it until a walk finds nothing, the
 * last one after every process knows of the switch.
 */
export async function reseal(input: ResealInput): Promise<number> {
  const news = { isThere: false };
  setHandler(changedSignal, () => void (news.isThere = true), {
    description: 'The mode or the key has changed: walk through everything once more.',
  });
  for (let isLast = false; ;) {
    news.isThere = false;
    const walk = await walkThrough(input);
    if (walk === null) return end(0);
    const isLeft = !isLast || walk.hasFound || news.isThere;
    if (!isLeft && (await finishResealing(input))) return end(walk.converted);
    isLast = !news.isThere;
    setCurrentDetails(detailsOf('Waiting until every process knows of the switch', [told(walk.converted)]));
    await sleep(UNTIL_ALL_KNOW);
    await restartResealing(input);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof reseal>(input);
  }
}

async function walkThrough(input: ResealInput) {
  for (;;) {
    const progress = await resealSome(input);
    if (progress === null || progress.isAtEnd) return progress;
    setCurrentDetails(detailsOf(`Sealing: ${progress.place}`, [told(progress.converted)]));
  }
}

function told(converted: number): string {
  return `${counted(converted, 'row')} so far`;
}

function end(converted: number): number {
  setCurrentDetails(converted === 0 ? 'Nothing was left to do.' : `Done: ${told(converted)}.`);
  return converted;
}
