import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { AccountActivities } from '../../activities/accounts/account.activities.ts';
import { databaseActivity } from '../shared/activity-options.ts';
import type { SendAccountMailInput } from '../../core/workflows/commands.ts';

const { answerAccountRequest } = proxyActivities<AccountActivities>(databaseActivity);

/**
 * Sends an email that a person has requested, such as a link for a new password, if the address belongs to an
 * account. Runs as a workflow, so that the caller cannot tell whether the account exists.
 */
export async function sendAccountMail(input: SendAccountMailInput): Promise<void> {
  await answerAccountRequest(input);
  setCurrentDetails('The request is processed.');
}
