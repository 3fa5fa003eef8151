import {
  CancellationScope,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks/webhook.activities.ts';
import { databaseActivity, sendingActivity } from '../shared/activity-options.ts';
import type { WebhookDeliveryInput } from '../../core/workflows/commands.ts';
import { DeliveryView, type DeliveryEnd } from '../shared/delivery-view.ts';
import { nameTaskQueues } from '../../core/workflows/task-queues.ts';
import { formatTimeAfter, limitTimerMs } from '../../core/workflows/format.ts';

const DELETED = 'The delivery was deleted with its endpoint, or purged because of its age.';
const DISABLED = 'replay refused: the endpoint is disabled. Enable it, then send the signal again.';
const CANCELLED = 'cancelled: An operator canceled the retries.';

/**
 * Signal to send the webhook delivery again (replay). The API passes the id of the new delivery; operators
 * need not pass anything.
 */
const replaySignal = defineSignal<[replayId?: unknown]>('replay');
const retryNowSignal = defineSignal('retryNow');
const giveUpSignal = defineSignal('giveUp');

const { readDelivery, giveUpDelivery, replayDelivery } = proxyActivities<WebhookActivities>(databaseActivity);

/**
 * Retries a webhook delivery on a fixed schedule after its first attempt failed. After the last attempt, or
 * if the receiver refuses it permanently, waits for some time in which operators or the API can replay the
 * delivery.
 */
export async function webhookDelivery(input: WebhookDeliveryInput): Promise<DeliveryEnd> {
  const signals = new OperatorSignals();
  const view = new DeliveryView();
  try {
    return await runUntilResolved(input, signals, view);
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => giveUpDelivery({ ...input, reason: CANCELLED }));
      view.enter('given-up', 'Canceled in Temporal. No further attempt is made.');
    }
    throw error;
  }
}

async function runUntilResolved(
  input: WebhookDeliveryInput,
  signals: OperatorSignals,
  view: DeliveryView,
): Promise<DeliveryEnd> {
  const { attemptDelivery } = attemptActivity();
  let state = await readDelivery(input);
  for (;;) {
    view.note(state);
    if (state === null) return view.end('deleted', DELETED);
    if (signals.replayIds.length > 0) {
      const createdIds = await makeReplays(input, signals.replayIds);
      if (createdIds.length > 0) return view.end('replayed', `Replayed as ${createdIds.join(', ')}.`);
      state = await readDelivery(input);
      if (state !== null) view.remark(DISABLED);
      continue;
    }
    if (signals.mustGiveUp) {
      const exists = await giveUpDelivery({
        ...input,
        reason: 'given_up: An operator canceled the delivery.',
      });
      return exists
        ? view.end('given-up', 'An operator canceled the delivery.')
        : view.end('deleted', DELETED);
    }
    if (state.status === 'delivered') return view.end('delivered', `Delivered in attempt ${state.attempts}.`);
    if (state.status === 'failed') {
      const { parkingHours } = state;
      view.enter('failed', `Waiting ${parkingHours} hours for the signal replay or giveUp.`);
      if (await signals.noneWithin(parkingHours)) return 'failed';
    } else {
      view.enter(
        'retrying',
        `Next attempt at ${formatTimeAfter(state.waitMs)}. Signals: retryNow, replay, giveUp.`,
      );
      if (await signals.isRetryDue(state.waitMs))
        state = await attemptDelivery({ ...input, attempts: state.attempts });
    }
  }
}

/**
 * Creates the requested replays of a webhook delivery and returns their ids. Returns no ids if the endpoint
 * is disabled or deleted.
 */
async function makeReplays(input: WebhookDeliveryInput, replayIds: string[]): Promise<string[]> {
  const createdIds: string[] = [];
  for (let replayId = replayIds.shift(); replayId !== undefined; replayId = replayIds.shift()) {
    const outcome = await replayDelivery({ ...input, replayId });
    if (outcome === 'made') createdIds.push(replayId);
    else if (outcome === 'taken') replayIds.push(newUuidV7());
  }
  return createdIds;
}

function attemptActivity(): Pick<WebhookActivities, 'attemptDelivery'> {
  return proxyActivities<WebhookActivities>({
    ...sendingActivity,
    taskQueue: nameTaskQueues(workflowInfo().taskQueue).webhooks,
    retry: { initialInterval: '1s', maximumInterval: '10s' },
    summary: 'Send the delivery to the endpoint, and store the response',
  });
}

/** Signals that operators and the API have sent to the workflow of a webhook delivery. */
class OperatorSignals {
  /** Ids of the requested replays, which become the ids of the new deliveries. */
  readonly replayIds: string[] = [];
  mustGiveUp = false;
  #mustRetry = false;

  constructor() {
    setHandler(replaySignal, (input) => void this.replayIds.push(isUuid(input) ? input : newUuidV7()), {
      description:
        'Create a new delivery of the event, and end the retries of this one. The signal needs no input.',
    });
    setHandler(retryNowSignal, () => void (this.#mustRetry = true), {
      description: 'Attempt now instead of when it is due.',
    });
    setHandler(giveUpSignal, () => void (this.mustGiveUp = true), {
      description: 'Cancel the retries, and do not wait for a replay.',
    });
  }

  /**
   * Waits until the next attempt of the webhook delivery is due. Returns false if a signal that ends the
   * retries has arrived first.
   */
  async isRetryDue(waitMs: number): Promise<boolean> {
    if (waitMs > 0) await condition(() => this.#mustRetry || this.#isEnding, limitTimerMs(waitMs));
    this.#mustRetry = false;
    return !this.#isEnding;
  }

  async noneWithin(hours: number): Promise<boolean> {
    return !(await condition(() => this.#isEnding, `${hours}h`));
  }

  get #isEnding(): boolean {
    return this.mustGiveUp || this.replayIds.length > 0;
  }
}

function isUuid(input: unknown): input is string {
  return typeof input === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(input);
}

/**
 * Creates a UUIDv7 from the workflow's deterministic time and randomness. A replay of the history creates the
 * same id.
 */
function newUuidV7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid4().slice(15)}`;
}
