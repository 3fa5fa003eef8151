import type { Database } from '../../database/database.ts';
import type { AccountMailService } from '../../services/accounts/account-mail-service.ts';
import type { AccountService } from '../../services/accounts/account-service.ts';
import type { DeleteAccountInput, SendAccountMailInput } from '../../core/workflows/commands.ts';

export type AccountActivities = ReturnType<typeof createAccountActivities>;

export function createAccountActivities({
  database,
  accounts,
  accountMail,
}: {
  database: Database;
  accounts: AccountService;
  accountMail: AccountMailService;
}) {
  return {
    answerAccountRequest: ({ requestId }: SendAccountMailInput) =>
      accountMail.sendRequested(database, requestId),
    removeAccount: ({ userId }: DeleteAccountInput) => accounts.delete(database, userId),
  };
}
