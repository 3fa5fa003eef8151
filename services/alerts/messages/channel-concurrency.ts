import { FairQueue } from '../../../core/concurrency/fair-queue.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { alertChannels, type AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';

/**
 * Maximum number of a worker's concurrent attempts to send alert messages on one channel. Most attempts only
 * wait for a slot, which costs little.
 */
const ATTEMPTS_BY_CHANNEL = 200;
/** Maximum number of a worker's concurrent attempts to send alert messages on all channels together. */
export const MAX_CONCURRENT_MESSAGES = ATTEMPTS_BY_CHANNEL * alertChannels.length;
/**
 * Maximum wait in milliseconds for one of a channel's slots to send. Together with the waits for rate limits
 * and the longest attempt, it stays below the activity's timeout.
 */
const MAX_WAIT_MS = 5000;

/**
 * Slot that an attempt to send an alert message needs. Urgent attempts precede all other attempts of the same
 * workspace.
 */
export interface AttemptSlot {
  channel: AlertChannel;
  isUrgent: boolean;
}

/**
 * Limits the concurrent attempts to send alert messages. Each channel has its own slots, which payers share
 * fairly. A messaging app that does not respond therefore delays no other app.
 */
export class ChannelConcurrency {
  readonly #queues: Record<AlertChannel, FairQueue>;

  constructor({ alertSlots: slots }: Pick<Settings, 'alertSlots'>) {
    const queue = () =>
      new FairQueue({
        slots,
        reservedSlots: slots,
        maxWaiting: ATTEMPTS_BY_CHANNEL - 2 * slots,
        maxWaitMs: MAX_WAIT_MS,
      });
    this.#queues = { telegram: queue(), whatsapp: queue() };
  }

  run<T>(
    payerId: string,
    { channel, isUrgent }: AttemptSlot,
    attempt: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | 'out_of_turn'> {
    return this.#queues[channel].run(payerId, attempt, signal, { isUrgent });
  }
}
