import type { Subscription } from '../../client/types.ts';
import { isAssignedByOperator } from '../subscription-state.ts';

export interface CancelTexts {
  question: string;
  consequence: string;
  /** Label of the button that keeps the subscription. */
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
      `It lasts until ${until}, and is not paid for again. The workspace keeps the plan ${name}, which your operator has given it; as long as it has that, this cannot be taken back here.`,
    );
  // The user pays for a subscription although the workspace is on the free plan.
  if (subscription.tier === 'free')
    return createSubscriptionTexts(`It lasts until ${until}, and is not paid for again.`);
  return {
    question: `Cancel ${name}?`,
    consequence: `It stays until ${until}, and is not paid for again. Then the limits of the free plan hold: nothing is deleted, but nothing can be added above them, and bots answer only as many messages as it allows. Until then you can take this back by choosing ${name} again.`,
    otherwise: `Keep ${name}`,
  };
}

/** Returns the texts for a subscription whose cancellation does not change the plan. */
function createSubscriptionTexts(consequence: string): CancelTexts {
  return { question: 'Cancel the subscription?', consequence, otherwise: 'Keep the subscription' };
}
