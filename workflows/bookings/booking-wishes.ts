import { condition, defineSignal, setHandler, type SignalDefinition } from '@temporalio/workflow';

const cancelSignal = defineSignal('cancel');
const changedSignal = defineSignal('changed');
const reconnectedSignal = defineSignal('reconnected');
const retryNowSignal = defineSignal('retryNow');
const giveUpSignal = defineSignal('giveUp');

/** `look`: the row has changed. */
export type BookingWish = 'look' | 'retry' | 'giveUp';

/** Signals that the API and operators have sent. */
export class BookingWishes {
  readonly #wishes = new Set<BookingWish>();

  constructor() {
    const on = (signal: SignalDefinition, wish: BookingWish, description: string) =>
      setHandler(signal, () => void this.#wishes.add(wish), { description });
    on(cancelSignal, 'look', 'It was cancelled: look again. Sent by the API; it cancels nothing by itself.');
    on(changedSignal, 'look', 'It was moved: look again. Sent by the API; it moves nothing by itself.');
    on(reconnectedSignal, 'retry', 'The calendar is connected again: have it follow now.');
    on(retryNowSignal, 'retry', 'Have the calendar follow now, also when that was given up.');
    on(
      giveUpSignal,
      'giveUp',
      'Have the calendar follow no more. The booking stays as it is, and mails go out.',
    );
  }

  /** Returns whether it was asked for, and forgets it. */
  take(wish: BookingWish): boolean {
    return this.#wishes.delete(wish);
  }

  get areNone(): boolean {
    return this.#wishes.size === 0;
  }

  /** Waits so long, or until something is asked for. */
  async come(waitMs: number): Promise<void> {
    if (waitMs > 0) await condition(() => !this.areNone, waitMs);
  }
}
