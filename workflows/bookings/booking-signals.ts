import { condition, defineSignal, setHandler, type SignalDefinition } from '@temporalio/workflow';
import { limitTimerMs } from '../../core/workflows/format.ts';

const cancelSignal = defineSignal('cancel');
const changedSignal = defineSignal('changed');
const reconnectedSignal = defineSignal('reconnected');
const retryNowSignal = defineSignal('retryNow');
const giveUpSignal = defineSignal('giveUp');

/** Meaning of a signal to a booking's workflow. `changed` means that the booking's row has changed. */
export type BookingRequest = 'changed' | 'retry' | 'giveUp';

/** Signals that operators and the API have sent to a booking's workflow. */
export class BookingSignals {
  readonly #received = new Set<BookingRequest>();

  constructor() {
    const on = (signal: SignalDefinition, request: BookingRequest, description: string) =>
      setHandler(signal, () => void this.#received.add(request), { description });
    on(
      cancelSignal,
      'changed',
      'Read the booking, which was canceled. The API sends this signal; the signal itself cancels nothing.',
    );
    on(
      changedSignal,
      'changed',
      'Read the booking, which was moved. The API sends this signal; the signal itself moves nothing.',
    );
    on(reconnectedSignal, 'retry', 'Update the calendar now, because it is connected again.');
    on(retryNowSignal, 'retry', 'Update the calendar now, even after giveUp.');
    on(giveUpSignal, 'giveUp', 'Stop updating the calendar. The booking stays unchanged, and emails go out.');
  }

  /** Returns whether a signal with this meaning has arrived since the last call, and removes the signal. */
  take(request: BookingRequest): boolean {
    return this.#received.delete(request);
  }

  get isEmpty(): boolean {
    return this.#received.size === 0;
  }

  /** Waits until a signal to the booking's workflow arrives, but at most `waitMs`. */
  async waitForSignal(waitMs: number): Promise<void> {
    if (waitMs > 0) await condition(() => !this.isEmpty, limitTimerMs(waitMs));
  }
}
