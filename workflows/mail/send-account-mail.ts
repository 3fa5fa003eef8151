import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AccountActivities } from '../../activities/accounts/account.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { SendAccountMailInput } from '../../core/workflows/commands.ts';

const { answerAccountRequest } = proxyActivities<AccountActivities>(databaseActivity);

/** Mails an address if it has an account. The caller does not learn whether it has one. */
export async function sendAccountMail(input: SendAccountMailInput): Promise<void> {
  await answerAccountRequest(input);
  setCurrentDetails('The request is answered.');
}
