import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AccountActivities } from '../../activities/accounts/account.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { SendAccountMailInput } from '../../core/workflows/commands.ts';

const { answerAccountRequest } = proxyActivities<AccountActivities>(databaseActivity);

/** Writes to an address that somebody has given, if there is an account; whoever gave it does not learn that. */
export async function sendAccountMail(input: SendAccountMailInput): Promise<void> {
  await answerAccountRequest(input);
  setCurrentDetails('The request is answered.');
}
