import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { AlertActivities } from '../../activities/alerts/alert.activities.ts';
import { formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';

export type AlertEnd = 'idle' | 'deleted';
/**
 * Values of Temporal's search attribute AlertState, by which operators find the workflow of an alert policy.
 */
type ShownState = 'waiting' | 'retrying' | 'misconfigured' | 'paused' | AlertEnd;
type AttemptResult = Awaited<ReturnType<AlertActivities['sendMessage']>>;

const MAX_REMARKS = 20;

/**
 * Shows operators the state of an alert policy's messages, in a search attribute and in the workflow's
 * details. Shows numbers and reasons only, no content.
 */
export class AlertView {
  #remarks: string[] = [];
  #state: ShownState | undefined;

  note({ state, reason, attempts, ...rest }: AttemptResult): void {
    const end = 'end' in rest ? rest.end : state;
    const why = reason === null ? '' : `: ${reason}`;
    this.#remarks = [`${new Date().toISOString()} attempt ${attempts}, ${end}${why}`, ...this.#remarks].slice(
      0,
      MAX_REMARKS,
    );
  }

  enter(state: ShownState, line: string): void {
    if (state !== this.#state) upsertSearchAttributes([{ key: searchAttributes.alertState, value: [state] }]);
    this.#state = state;
    setCurrentDetails(formatDetails(state, [line, 'Signals: retryNow, giveUp, pause.', ...this.#remarks]));
  }

  end(state: AlertEnd, line: string): AlertEnd {
    if (state !== this.#state) upsertSearchAttributes([{ key: searchAttributes.alertState, value: [state] }]);
    this.#state = state;
    setCurrentDetails(formatDetails(state, [line, ...this.#remarks]));
    return state;
  }
}
