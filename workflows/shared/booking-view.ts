import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { detailsOf } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';

export type BookingEnd = 'over' | 'cancelled' | 'deleted';
/** What operators find the workflow by, as its search attribute BookingState. */
type ShownState = 'confirmed' | 'retrying' | 'reconnect_needed' | 'failed' | BookingEnd;

const MOST_LINES = 20;

/** What operators see: a search attribute, and the workflow's current details. */
export class BookingView {
  readonly history: string[];
  #state: ShownState | undefined;

  /** @param history what happened before the history of the workflow was begun anew */
  constructor(history: readonly string[]) {
    this.history = [...history];
  }

  remark(line: string): void {
    this.history.unshift(`${new Date().toISOString()} ${line}`);
    this.history.length = Math.min(this.history.length, MOST_LINES);
  }

  enter(state: ShownState, line: string): void {
    if (state !== this.#state)
      upsertSearchAttributes([{ key: searchAttributes.bookingState, value: [state] }]);
    this.#state = state;
    setCurrentDetails(detailsOf(state, [line, ...this.history]));
  }

  end(state: BookingEnd, line: string): BookingEnd {
    this.enter(state, line);
    return state;
  }
}
