import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { DeviceLoginRepository } from '../../repositories/team/device-login.repository.ts';
import { InvitationRepository } from '../../repositories/team/invitation.repository.ts';
import { IssuedKeyRepository } from '../../repositories/team/issued-key.repository.ts';
import { MemberRepository } from '../../repositories/team/member.repository.ts';
import { OrgPurgeRepository } from '../../repositories/team/org-purge.repository.ts';
import { OrgRepository } from '../../repositories/team/org.repository.ts';
import { SavedViewRepository } from '../../repositories/team/saved-view.repository.ts';
import { SecondFactorRepository } from '../../repositories/accounts/second-factor.repository.ts';
import type { AccountService } from '../accounts/account-service.ts';
import type { SessionService } from '../accounts/session-service.ts';
import type { RecipientLimits } from '../mail/senders/recipient-limits.ts';
import type { SenderChecks } from '../mail/senders/sender-checks.ts';
import type { MailService } from '../mail/mail-service.ts';
import { Throttle, TOO_MANY_EMAILS } from '../accounts/throttle.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { RateLimiter } from '../requests/rate-limiter.ts';
import type { WebhookPurge } from '../webhooks/webhook-purge.ts';
import type { AccessNotices } from './access-notices.ts';
import { AcceptanceService } from './acceptance-service.ts';
import { ApiKeyService } from './api-key-service.ts';
import type { AuditService } from './audit-service.ts';
import { DeviceLoginService } from './device-login-service.ts';
import type { AccessRevocation } from './access-revocation.ts';
import { InvitationService } from './invitation-service.ts';
import { MemberService } from './member-service.ts';
import { OrgPurge } from './org-purge.ts';
import type { OrgService } from './org-service.ts';
import { SavedViewService } from './saved-view-service.ts';
import type { Quotas } from '../usage/quotas.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface TeamDeps {
  orgs: OrgService;
  accounts: AccountService;
  sessions: SessionService;
  outbox: OutboxService;
  mail: MailService;
  endpoints: WebhookPurge;
  limiter: RateLimiter;
  audit: AuditService;
  accessRevocation: AccessRevocation;
  quotas: Quotas;
  accessNotices: AccessNotices;
  recipientLimits: RecipientLimits;
  senderChecks: SenderChecks;
}

/** Creates the services for workspaces, members, invitations and API keys. */
export function createTeam(
  { keyring, storage, clock, settings }: ServiceDeps,
  {
    orgs,
    accounts,
    sessions,
    outbox,
    mail,
    endpoints,
    limiter,
    audit,
    accessRevocation,
    quotas,
    accessNotices,
    recipientLimits,
    senderChecks,
  }: TeamDeps,
) {
  const rows = { orgs: new OrgRepository(), members: new MemberRepository() };
  const invitations = new InvitationService({
    ...rows,
    invitations: new InvitationRepository(),
    accounts: new AccountRepository(),
    limiter,
    settings,
    mail,
    outbox,
    keyring,
    quotas,
    recipients: recipientLimits,
    senders: senderChecks,
    mailThrottle: new Throttle({
      limiter,
      purpose: 'invitation-mail',
      limit: settings.accountMailLimit,
      message: `${TOO_MANY_EMAILS} (PARLEY_ACCOUNT_MAIL_LIMIT)`,
    }),
  });
  const apiKeys = new ApiKeyService({ keys: new IssuedKeyRepository(), clock });
  return {
    orgs,
    members: new MemberService({ ...rows, mail, accessRevocation, quotas }),
    invitations,
    acceptance: new AcceptanceService({
      invitations,
      accounts: new AccountRepository(),
      factors: new SecondFactorRepository(),
      passwords: accounts,
      sessions,
      audit,
    }),
    apiKeys,
    savedViews: new SavedViewService({ views: new SavedViewRepository() }),
    deviceLogins: new DeviceLoginService({
      logins: new DeviceLoginRepository(),
      accounts: new AccountRepository(),
      apiKeys,
      audit,
      limiter,
      settings,
    }),
    orgPurge: new OrgPurge({ purge: new OrgPurgeRepository(), endpoints, storage, accessNotices }),
  };
}
