import type { Settings } from '../../core/settings/settings.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../database/database.ts';
import type { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import type { MailService } from '../mail/mail.service.ts';

/** What has been done with an account. */
export interface AccountNotice {
  /** What the mail is called. */
  subject: string;
  /** What it means. */
  what: string;
}

/** What people are told of that gives access for longer than a session, or takes it. */
export const accountNotices = {
  identityLinked: (provider: string): AccountNotice => ({
    subject: `${provider} was linked to your account`,
    what: `Whoever signs in to that account at ${provider} gets into yours here.`,
  }),
  identityUnlinked: (provider: string): AccountNotice => ({
    subject: `${provider} was unlinked from your account`,
    what: `Nobody gets into your account by signing in at ${provider} any more.`,
  }),
  keyMade: (name: string): AccountNotice => ({
    subject: 'An API key was made in your name',
    what: `It is called “${name}”, and works until it is revoked or expires.`,
  }),
  keyRotated: (name: string): AccountNotice => ({
    subject: 'An API key was replaced in your name',
    what: `Another one follows “${name}”.`,
  }),
  recoveryCodesRenewed: (): AccountNotice => ({
    subject: 'Your recovery codes were replaced',
    what: 'Those from before are good no more.',
  }),
  ownershipHandedOver: (): AccountNotice => ({
    subject: 'You have handed a workspace over',
    what: 'Another member is its owner now, and you are none there any more.',
  }),
  workspaceDeleted: (): AccountNotice => ({
    subject: 'You have deleted a workspace',
    what: 'Everything in it is being removed.',
  }),
  roleGiven: (role: string): AccountNotice => ({
    subject: `You have made somebody an ${role} of a workspace`,
    what: 'The page of the team shows who it is.',
  }),
  adminInvited: (email: string): AccountNotice => ({
    subject: 'You have invited an admin to a workspace',
    what: `The link went to ${email}.`,
  }),
};

export interface AccountNoticeDeps {
  accounts: AccountRepository;
  mail: MailService;
  settings: Pick<Settings, 'baseUrl'>;
  clock: Clock;
}

/** Whoever has done something. */
interface Doer {
  userId: string;
  orgId: string | null;
  ip: string;
}

/** Tells people what has been done in their name, so that what somebody else does with their session does not stay hidden. */
export class AccountNotices {
  readonly #deps: AccountNoticeDeps;

  constructor(deps: AccountNoticeDeps) {
    this.#deps = deps;
  }

  async tell(
    db: Database,
    { userId, orgId, ip: place }: Doer,
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
        place,
        at: clock.now(),
        resetLink: `${settings.baseUrl}/forgot-password`,
      },
    });
  }
}
