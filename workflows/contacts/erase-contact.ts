import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/contacts/erasure.activities.ts';
import type { EraseContactInput } from '../../core/workflows/commands.ts';

const { removeErasedEvents, removeErasedDeliveries, removeErasedAnswers, removeErasedContact } =
  proxyActivities<ErasureActivities>({
    startToCloseTimeout: '1h',
    heartbeatTimeout: '10s',
    retry: { maximumInterval: '1m' },
  });

/**
 * Removes all copies of an erased contact's data. Starts with pending events, from which further copies could
 * be made, and ends with the contact's row.
 */
export async function eraseContact(input: EraseContactInput): Promise<void> {
  setCurrentDetails('Removing events that are not announced yet.');
  await removeErasedEvents(input);
  setCurrentDetails('Removing what webhooks were, or are to be, told.');
  await removeErasedDeliveries(input);
  setCurrentDetails('Removing answers that are kept for repeated requests.');
  await removeErasedAnswers(input);
  await removeErasedContact(input);
  setCurrentDetails('Everything is removed.');
}
