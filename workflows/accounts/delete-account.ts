import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AccountActivities } from '../../activities/accounts/account.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { DeleteAccountInput } from '../../core/workflows/commands.ts';

const { removeAccount } = proxyActivities<AccountActivities>(databaseActivity);

/** Removes a closed account with its memberships, its API keys and the person's other data. */
export async function deleteAccount(input: DeleteAccountInput): Promise<void> {
  await removeAccount(input);
  setCurrentDetails('Everything is removed.');
}
