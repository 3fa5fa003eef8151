import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AccountActivities } from '../../activities/accounts/account.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { DeleteAccountInput } from '../../core/workflows/commands.ts';

const { removeAccount } = proxyActivities<AccountActivities>(databaseActivity);

/** Removes a closed account, its memberships and API keys, and all other data of the person. */
export async function deleteAccount(input: DeleteAccountInput): Promise<void> {
  await removeAccount(input);
  setCurrentDetails('All data of the account is removed.');
}
