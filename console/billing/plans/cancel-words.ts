import type { Subscription } from '../../client/types.ts';
import { isGiven } from '../subscription-state.ts';

export interface CancelWords {
  question: string;
  consequence: string;
  /** What the button says that cancels nothing. */
  otherwise: string;
}

/**
 * What cancelling means.
 * @param name of the plan that holds
 * @param until when the subscription ends, for people
 */
export function cancelWords(subscription: Subscription, name: string, until: string): CancelWords {
  if (isGiven(subscription))
    return ofSubscription(
      `It lasts until ${until}, and is not paid for again. The workspace keeps the plan ${name}, which your operator has given it; as long as it has that, this cannot be taken back here.`,
    );
  // Something is paid that gives no plan.
  if (subscription.tier === 'free')
    return ofSubscription(`It lasts until ${until}, and is not paid for again.`);
  return {
    question: `Cancel ${name}?`,
    consequence: `It stays until ${until}, and is not paid for again. Then the limits of the free plan hold: nothing is deleted, but nothing can be added above them, and bots answer only as many messages as it allows. Until then you can take this back by choosing ${name} again.`,
    otherwise: `Keep ${name}`,
  };
}

/** Of one that is not what gives the plan. */
function ofSubscription(consequence: string): CancelWords {
  return { question: 'Cancel the subscription?', consequence, otherwise: 'Keep the subscription' };
}
