import type { Subscription } from '../../client/types.ts';
import { isAssignedByOperator } from '../subscription-state.ts';

export interface CancelTexts {
  question: string;
  consequence: string;
  /** Label of the button that closes the dialog and keeps the subscription. */
  otherwise: string;
}

/**
 * Returns the texts of the dialog that cancels a subscription.
 * @param name name of the current plan
 * @param until date on which the subscription would end, formatted
 */
export function getCancelTexts(subscription: Subscription, name: string, until: string): CancelTexts {
  if (isAssignedByOperator(subscription))
    return createSubscriptionTexts(
      `The subscription ends on ${until}. The workspace keeps the ${name} plan that your operator assigned. You can't undo the cancellation here while the workspace has that plan.`,
    );
  // The user pays for a subscription although the workspace is on the free plan.
  if (subscription.tier === 'free') return createSubscriptionTexts(`The subscription ends on ${until}.`);
  return {
    question: `Cancel ${name}?`,
    consequence: `The plan stays active until ${until}. Then the free plan's limits apply: nothing is deleted, but you can't exceed those limits. Until then, you can undo this by choosing ${name} again.`,
    otherwise: `Keep ${name}`,
  };
}

/** Returns the texts of the dialog for a subscription whose cancellation does not change the plan. */
function createSubscriptionTexts(consequence: string): CancelTexts {
  return { question: 'Cancel subscription?', consequence, otherwise: 'Keep subscription' };
}
