import type { Settings } from '../../core/settings/settings.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Device } from '../../repositories/accounts/session.repository.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { MailService } from '../mail/mail-service.ts';

/** Text of an email about a change to an account. */
export interface AccountNotice {
  /** Subject of the email. */
  subject: string;
  /** Sentence in the email that describes the change to the account. */
  explanation: string;
}

/** Texts of emails about changes to how a user can sign in or use the API. */
export const accountNotices = {
  identityLinked: (provider: string): AccountNotice => ({
    subject: `${provider} was linked to your account`,
    explanation: `Signing in to that account at ${provider} now gives access to your account here.`,
  }),
  identityUnlinked: (provider: string): AccountNotice => ({
    subject: `${provider} was unlinked from your account`,
    explanation: `Signing in at ${provider} no longer gives access to your account.`,
  }),
  recoveryCodesRenewed: (): AccountNotice => ({
    subject: 'Your recovery codes were replaced',
    explanation: 'The previous codes no longer work.',
  }),
};

export interface AccountNoticeDeps {
  accounts: AccountRepository;
  mail: MailService;
  settings: Pick<Settings, 'baseUrl'>;
  clock: Clock;
}

/** The user who changed an account, with the session's workspace and the device. */
interface Actor {
  userId: string;
  orgId: string | null;
  device: Device | null;
}

/** Emails people about changes to their account, so that they notice a stolen session. */
export class AccountNotices {
  readonly #deps: AccountNoticeDeps;

  constructor(deps: AccountNoticeDeps) {
    this.#deps = deps;
  }

  async notify(
    db: Database,
    { userId, orgId, device }: Actor,
    { subject, explanation }: AccountNotice,
  ): Promise<void> {
    const { accounts, mail, settings, clock } = this.#deps;
    const account = await accounts.find(db, userId);
    if (!account) return;
    const orgName = (orgId && (await accounts.findWorkspaceName(db, orgId))) ?? 'none';
    await mail.send(db, {
      to: account.email,
      userId,
      template: 'account_notice',
      data: {
        name: account.fullName,
        subject,
        what: explanation,
        orgName,
        place: device?.ip ?? 'unknown',
        at: clock.now(),
        resetLink: `${settings.baseUrl}/forgot-password`,
      },
    });
  }
}
