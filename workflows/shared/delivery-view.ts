import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks/webhook.activities.ts';
import { formatDetails } from '../../core/workflows/format.ts';
import { searchAttributes } from '../../core/workflows/search-attributes.ts';

/**
 * Values of Temporal's search attribute DeliveryState, by which operators find the workflow of a webhook
 * delivery.
 */
type ShownState = 'retrying' | DeliveryEnd;
export type DeliveryEnd = 'delivered' | 'failed' | 'replayed' | 'given-up' | 'deleted';
type DeliveryState = Awaited<ReturnType<WebhookActivities['readDelivery']>>;

/** Shows operators the state of a webhook delivery, in a search attribute and in the workflow's details. */
export class DeliveryView {
  readonly #history: string[] = [];
  #attempts = 0;
  #reason: string | undefined;
  #state: ShownState | undefined;

  /** Adds a line about the last attempt to deliver the webhook: why the attempt failed or was not made. */
  note(state: DeliveryState): void {
    if (!state?.reason || (state.attempts === this.#attempts && state.reason === this.#reason)) return;
    const isNewAttempt = state.attempts !== this.#attempts;
    this.#attempts = state.attempts;
    this.#reason = state.reason;
    this.remark(`${isNewAttempt ? `attempt ${state.attempts}` : 'not sent'}: ${state.reason}`);
  }

  remark(line: string): void {
    this.#history.push(`${new Date().toISOString()} ${line}`);
  }

  enter(state: ShownState, line: string): void {
    if (state !== this.#state)
      upsertSearchAttributes([{ key: searchAttributes.deliveryState, value: state }]);
    this.#state = state;
    setCurrentDetails(formatDetails(state, [line, ...this.#history.toReversed()]));
  }

  end(state: DeliveryEnd, line: string): DeliveryEnd {
    this.enter(state, line);
    return state;
  }
}
