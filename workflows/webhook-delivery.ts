import {
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../activities/webhook.activities.ts';
import { databaseActivity } from './shared/activity-options.ts';
import type { WebhookDeliveryInput } from './shared/commands.ts';
import { detailsOf } from './shared/format.ts';
import { newUuidV7 } from './shared/new-uuid-v7.ts';
import { searchAttributes } from './shared/search-attributes.ts';
import { taskQueuesOf } from './shared/task-queues.ts';

/** How long a delivery that failed for good waits for a replay. */
const PARKING = '72h';
const DELETED = 'The endpoint was deleted, and its log with it.';

export const replaySignal = defineSignal<[replayId?: string]>('replay');
export const retryNowSignal = defineSignal('retryNow');
export const giveUpSignal = defineSignal('giveUp');

/** What operators find the workflow by, as its search attribute DeliveryState. */
type ShownState = 'retrying' | DeliveryEnd;
export type DeliveryEnd = 'delivered' | 'failed' | 'replayed' | 'given-up' | 'deleted';
type DeliveryState = Awaited<ReturnType<WebhookActivities['readDelivery']>>;

const { readDelivery, giveUpDelivery, replayDelivery } = proxyActivities<WebhookActivities>(databaseActivity);

/**
 * Takes over a delivery whose first attempt failed: tries again on the schedule; when that is at its end, or the
 * receiver refused it for good, it waits a while for somebody to replay it.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<DeliveryEnd> {
  const { attemptDelivery } = attemptActivity();
  const wishes = new Wishes();
  const view = new View();
  let state = await readDelivery(input);
  for (;;) {
    view.note(state);
    if (state === null) return view.end('deleted', DELETED);
    if (wishes.replayIds.length > 0) {
      for (const replayId of wishes.replayIds) await replayDelivery({ ...input, replayId });
      return view.end('replayed', `Sent again as ${wishes.replayIds.join(', ')}.`);
    }
    if (wishes.mustGiveUp) {
      const isThere = await giveUpDelivery({ ...input, reason: 'given_up: An operator gave it up.' });
      return isThere ? view.end('given-up', 'An operator gave it up.') : view.end('deleted', DELETED);
    }
    if (state.status === 'delivered') return view.end('delivered', `Delivered at attempt ${state.attempts}.`);
    if (state.status === 'failed') {
      view.enter('failed', 'Waits 72 hours for the signal replay (sends it again) or giveUp.');
      if (await wishes.areNone(PARKING)) return 'failed';
    } else {
      const at = new Date(Date.now() + state.waitMs).toISOString();
      view.enter('retrying', `Next attempt at ${at}. Signals: retryNow, replay, giveUp.`);
      if (await wishes.isRetryDue(state.waitMs))
        state = await attemptDelivery({ ...input, attempts: state.attempts });
    }
  }
}

function attemptActivity(): Pick<WebhookActivities, 'attemptDelivery'> {
  return proxyActivities<WebhookActivities>({
    taskQueue: taskQueuesOf(workflowInfo().taskQueue).webhooks,
    startToCloseTimeout: '5m',
    heartbeatTimeout: '10s',
    retry: { initialInterval: '1s', maximumInterval: '10s' },
    summary: 'Send it to the endpoint, and record the answer',
  });
}

/** What operators, or the API for them, have asked for by signals. */
class Wishes {
  /** The new deliveries to make of it. */
  readonly replayIds: string[] = [];
  mustGiveUp = false;
  #mustRetry = false;

  constructor() {
    setHandler(replaySignal, (replayId = newUuidV7()) => void this.replayIds.push(replayId), {
      description: 'Send it again as a new delivery; this one is not tried any more.',
    });
    setHandler(retryNowSignal, () => void (this.#mustRetry = true), {
      description: 'Make the next attempt now instead of when it is due.',
    });
    setHandler(giveUpSignal, () => void (this.mustGiveUp = true), {
      description: 'Make no further attempt, and wait for no replay.',
    });
  }

  /** False when something else was asked for before the time had come. */
  async isRetryDue(waitMs: number): Promise<boolean> {
    if (waitMs > 0) await condition(() => this.#mustRetry || this.#isEnding, waitMs);
    this.#mustRetry = false;
    return !this.#isEnding;
  }

  async areNone(time: typeof PARKING): Promise<boolean> {
    return !(await condition(() => this.#isEnding, time));
  }

  get #isEnding(): boolean {
    return this.mustGiveUp || this.replayIds.length > 0;
  }
}

/** What operators see: a search attribute, and the workflow's current details. */
class View {
  readonly #attempts: string[] = [];
  #noted = 0;
  #state: ShownState | undefined;

  /** Remembers why the last attempt failed. */
  note(state: DeliveryState): void {
    if (!state?.reason || state.attempts === this.#noted) return;
    this.#noted = state.attempts;
    this.#attempts.push(`${new Date().toISOString()} attempt ${state.attempts}: ${state.reason}`);
  }

  enter(state: ShownState, line: string): void {
    if (state !== this.#state)
      upsertSearchAttributes([{ key: searchAttributes.deliveryState, value: state }]);
    this.#state = state;
    setCurrentDetails(detailsOf(state, [line, ...this.#attempts.toReversed()]));
  }

  end(state: DeliveryEnd, line: string): DeliveryEnd {
    this.enter(state, line);
    return state;
  }
}
