import type { Subscription } from '../../client/types.ts';
import { isAssignedByOperator } from '../subscription-state.ts';

export interface CancelTexts {
  question: string;
  consequence: string;
  /** Label of the button that closes the dialog without cancelling. */
  otherwise: string;
}

/**
 * Returns the texts of the dialog that cancels a subscription.
 * @param name name of the current plan
 * @param until end of the subscription, formatted
 */
export function getCancelTexts(subscription: Subscription, name: string, until: string): CancelTexts {
  if (isAssignedByOperator(subscription))
    return createSubscriptionTexts(
      `It lasts until ${until}, and is not paid for again. The workspace keeps the plan ${name}, which your operator has given it; as long as it has that, this cannot be taken back here.`,
    );
  // The subscription is paid but gives no plan.
  if (subscription.tier === 'free')
    return createSubscriptionTexts(`It lasts until ${until}, and is not paid for again.`);
  return {
    question: `Cancel ${name}?`,
    consequence: `It stays until ${until}, and is not paid for again. Then the limits of the free plan hold: nothing is deleted, but nothing can be added above them, and bots answer only as many messages as it allows. Until then you can take this back by choosing ${name} again.`,
    otherwise: `Keep ${name}`,
  };
}

/** Returns the texts for a subscription that does not determine the plan. */
function createSubscriptionTexts(consequence: string): CancelTexts {
  return { question: 'Cancel the subscription?', consequence, otherwise: 'Keep the subscription' };
}
