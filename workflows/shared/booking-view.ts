import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';

export type BookingEnd = 'over' | 'cancelled' | 'deleted';
/** Values of Temporal's search attribute BookingState, by which operators find the workflow of a booking. */
type ShownState = 'confirmed' | 'retrying' | 'reconnect_needed' | 'failed' | BookingEnd;

const MAX_LINES = 20;

/** Shows operators the state of a booking, in a search attribute and in the workflow's details. */
export class BookingView {
  readonly history: string[];
  #state: ShownState | undefined;

  /** @param history lines that the workflow showed in its previous run (before continue-as-new) */
  constructor(history: readonly string[]) {
    this.history = [...history];
  }

  remark(line: string): void {
    this.history.unshift(`${new Date().toISOString()} ${line}`);
    this.history.length = Math.min(this.history.length, MAX_LINES);
  }

  enter(state: ShownState, line: string): void {
    if (state !== this.#state)
      upsertSearchAttributes([{ key: searchAttributes.bookingState, value: [state] }]);
    this.#state = state;
    setCurrentDetails(formatDetails(state, [line, ...this.history]));
  }

  end(state: BookingEnd, line: string): BookingEnd {
    this.enter(state, line);
    return state;
  }
}
