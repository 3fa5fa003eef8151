/**
 * Input of an activity that waits for a slot in a queue. The activity keeps its position if it has to wait
 * again.
 */
export interface QueueTicket {
  /**
   * Time since which the activity waits for a slot, as `Date.now()`; undefined if the workflow does not state
   * it.
   */
  waitingSince?: number;
}
