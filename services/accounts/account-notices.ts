import type { Settings } from '../../core/settings/settings.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../database/database.ts';
import type { Device } from '../../repositories/accounts/session.repository.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { MailService } from '../mail/mail-service.ts';

/** Notice about a change of an account. */
export interface AccountNotice {
  /** Subject of the mail. */
  subject: string;
  /** Consequence of the change, in a sentence. */
  what: string;
}

/** Changes of a person's own account that give access for longer than a session, or take it. */
export const accountNotices = {
  identityLinked: (provider: string): AccountNotice => ({
    subject: `${provider} was linked to your account`,
    what: `Whoever signs in to that account at ${provider} gets into yours here.`,
  }),
  identityUnlinked: (provider: string): AccountNotice => ({
    subject: `${provider} was unlinked from your account`,
    what: `Nobody gets into your account by signing in at ${provider} any more.`,
  }),
  recoveryCodesRenewed: (): AccountNotice => ({
    subject: 'Your recovery codes were replaced',
    what: 'Those from before are good no more.',
  }),
};

export interface AccountNoticeDeps {
  accounts: AccountRepository;
  mail: MailService;
  settings: Pick<Settings, 'baseUrl'>;
  clock: Clock;
}

/** The person, and where the session was used. */
interface Actor {
  userId: string;
  orgId: string | null;
  device: Device | null;
}

/** Mails people about changes made in their name, so that a stolen session does not act unnoticed. */
export class AccountNotices {
  readonly #deps: AccountNoticeDeps;

  constructor(deps: AccountNoticeDeps) {
    this.#deps = deps;
  }

  async tell(
    db: Database,
    { userId, orgId, device }: Actor,
    { subject, what }: AccountNotice,
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
        what,
        orgName,
        place: device?.ip ?? 'unknown',
        at: clock.now(),
        resetLink: `${settings.baseUrl}/forgot-password`,
      },
    });
  }
}
