import { FairQueue } from '../../../core/concurrency/fair-queue.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { alertChannels, type AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';

/** Concurrent attempts of a worker on one channel. Most wait for a slot, which costs little. */
const ATTEMPTS_BY_CHANNEL = 200;
/** Concurrent attempts of a worker on all channels. */
export const MAX_CONCURRENT_MESSAGES = ATTEMPTS_BY_CHANNEL * alertChannels.length;
/** Stays below the activity's timeout, together with the waits for rate limits and the longest attempt. */
const MAX_WAIT_MS = 5000;

/** Channel of an attempt; urgent ones precede others of their workspace. */
export interface AttemptSlot {
  channel: AlertChannel;
  isUrgent: boolean;
}

/**
 * Runs attempts in slots. Each channel has its own slots, shared fairly among workspaces: an app that hangs blocks no
 * other.
 */
export class ChannelConcurrency {
  readonly #queues: Record<AlertChannel, FairQueue>;

  constructor({ alertPlaces: slots }: Pick<Settings, 'alertPlaces'>) {
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
    orgId: string,
    { channel, isUrgent }: AttemptSlot,
    attempt: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | 'out_of_turn'> {
    return this.#queues[channel].run(orgId, attempt, signal, { isUrgent });
  }
}
