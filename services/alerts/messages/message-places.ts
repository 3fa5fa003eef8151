import { FairQueue } from '../../../core/concurrency/fair-queue.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { alertChannels, type AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';

/** Attempts that a worker has at once by one channel, most of which wait for a place: waiting costs next to nothing. */
const ATTEMPTS_BY_CHANNEL = 200;
/** By all of them. */
export const MESSAGES_AT_ONCE = ATTEMPTS_BY_CHANNEL * alertChannels.length;
/** With the longest waits for turns and the longest attempt, less than the time that the activity has. */
const LONGEST_WAIT_MS = 5000;

/** What an attempt waits for, and whether before others of its workspace. */
export interface Awaited {
  channel: AlertChannel;
  isUrgent: boolean;
}

/** Each channel has places of its own, which workspaces share: an app that hangs takes none of another one. */
export class MessagePlaces {
  readonly #queues: Record<AlertChannel, FairQueue>;

  constructor({ alertPlaces: places }: Pick<Settings, 'alertPlaces'>) {
    const queue = () =>
      new FairQueue({
        slots: places,
        reservedSlots: places,
        maxWaiting: ATTEMPTS_BY_CHANNEL - 2 * places,
        maxWaitMs: LONGEST_WAIT_MS,
      });
    this.#queues = { telegram: queue(), whatsapp: queue() };
  }

  run<T>(
    orgId: string,
    { channel, isUrgent }: Awaited,
    attempt: () => Promise<T>,
    signal: AbortSignal,
  ): Promise<T | 'out_of_turn'> {
    return this.#queues[channel].run(orgId, attempt, signal, { isUrgent });
  }
}
