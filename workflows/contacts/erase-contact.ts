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
 * be made, and ends with the contact's database row.
 */
export async function eraseContact(input: EraseContactInput): Promise<void> {
  setCurrentDetails('Removing pending events.');
  await removeErasedEvents(input);
  setCurrentDetails('Removing webhook deliveries.');
  await removeErasedDeliveries(input);
  setCurrentDetails('Removing responses that are stored for idempotency keys.');
  await removeErasedAnswers(input);
  await removeErasedContact(input);
  setCurrentDetails('All copies of the contact are removed.');
}
