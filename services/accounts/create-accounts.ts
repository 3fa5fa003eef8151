import { OpenIdProvider } from '../../adapters/identity/openid-provider.ts';
import { parseIdentityProviders } from '../../core/accounts/identity-providers.ts';
import { AlertAttemptRepository } from '../../repositories/alerts/alert-attempt.repository.ts';
import { CalendarAttemptRepository } from '../../repositories/bookings/calendar-attempt.repository.ts';
import { DeviceLoginRepository } from '../../repositories/team/device-login.repository.ts';
import { BootstrapRepository } from '../../repositories/installation/bootstrap.repository.ts';
import { AccountLinkRepository } from '../../repositories/accounts/account-link.repository.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { AccountRequestRepository } from '../../repositories/accounts/account-request.repository.ts';
import { ConsolePreferenceRepository } from '../../repositories/accounts/console-preference.repository.ts';
import { SignInCodeRepository } from '../../repositories/accounts/sign-in-code.repository.ts';
import { SessionRepository } from '../../repositories/accounts/session.repository.ts';
import { LinkedIdentityRepository } from '../../repositories/accounts/linked-identity.repository.ts';
import { SecondFactorRepository } from '../../repositories/accounts/second-factor.repository.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import type { RateLimiter } from '../requests/rate-limiter.ts';
import type { AuditService } from '../team/audit-service.ts';
import type { AccessRevocation } from '../team/access-revocation.ts';
import type { OrgService } from '../team/org-service.ts';
import { AccountMailService } from './account-mail-service.ts';
import { AccountService } from './account-service.ts';
import { ConsolePreferenceService } from './console-preference-service.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import { FirstRunService } from './first-run-service.ts';
import { WrongCodes } from './wrong-codes.ts';
import { LinkedIdentityService } from './linked-identity-service.ts';
import { MailedLinkService } from './mailed-link-service.ts';
import { MfaService } from './mfa-service.ts';
import { SecondFactor } from './second-factor.ts';
import { SessionTokens } from './session-tokens.ts';
import { SessionService } from './session-service.ts';
import { SignInService } from './sign-in-service.ts';
import { DAY, Throttle, TOO_MANY_EMAILS } from './throttle.ts';
import type { ServiceDeps } from '../service-deps.ts';

interface AccountsDeps {
  orgs: OrgService;
  mail: MailService;
  outbox: OutboxService;
  limiter: RateLimiter;
  audit: AuditService;
  accessRevocation: AccessRevocation;
}

/** Creates the services that manage user accounts and sign-in. */
export function createAccounts(
  { settings, database, keyring, outbound, clock }: ServiceDeps,
  { orgs, mail, outbox, limiter, audit, accessRevocation }: AccountsDeps,
) {
  const { signInLimitPerAccount, accountMailLimit } = settings;
  const rows = new AccountRepository();
  const sessionTokens = new SessionTokens(keyring, clock, settings.accessTokenSeconds);
  const sessions = new SessionService({
    sessions: new SessionRepository(),
    deviceLogins: new DeviceLoginRepository(),
    alertAttempts: new AlertAttemptRepository(),
    calendarAttempts: new CalendarAttemptRepository(),
    tokens: sessionTokens,
    settings,
  });
  const secondFactor = new SecondFactor(keyring, clock, settings.mfaChallengeSeconds);
  const throttle = new Throttle({ limiter, purpose: 'sign-in', limit: signInLimitPerAccount });
  const mails = { limiter, message: TOO_MANY_EMAILS };
  const accountMail = new AccountMailService({
    accounts: rows,
    links: new AccountLinkRepository(),
    codes: new SignInCodeRepository(),
    requests: new AccountRequestRepository(),
    mail,
    outbox,
    keyring,
    settings,
    sessions,
    mailThrottle: new Throttle({ ...mails, purpose: 'account-mail', limit: accountMailLimit }),
    dailyMailThrottle: new Throttle({
      ...mails,
      purpose: 'daily-account-mail',
      limit: 6 * accountMailLimit,
      period: DAY,
    }),
  });
  const { wrongCodesPerDay, recordedFailuresPerHour } = settings;
  const wrongCodes = new WrongCodes({ database, limiter, accountMail, clock, limit: wrongCodesPerDay });
  const failures = new FailedSignIns({ database, limiter, audit, limit: recordedFailuresPerHour });
  const factors = new SecondFactorRepository();
  const signIn = new SignInService({
    accounts: rows,
    sessions,
    secondFactor,
    accountMail,
    mail,
    throttle,
    wrongCodes,
    failures,
    factors,
    audit,
    clock,
  });
  const accounts = new AccountService({
    accounts: rows,
    orgs,
    sessions,
    accountMail,
    mail,
    outbox,
    throttle,
    wrongCodes,
    factors,
    accessRevocation,
    settings,
  });
  return {
    sessionTokens,
    sessions,
    secondFactor,
    accountMail,
    signIn,
    mfa: new MfaService({
      accounts: rows,
      factors,
      secondFactor,
      sessions,
      signIn,
      mail,
      throttle: new Throttle({ limiter, purpose: 'second-factor', limit: signInLimitPerAccount }),
      wrongCodes,
      failures,
      database,
      keyring,
      clock,
    }),
    accounts,
    consolePreferences: new ConsolePreferenceService({ preferences: new ConsolePreferenceRepository() }),
    firstRun: new FirstRunService({
      bootstrap: new BootstrapRepository(),
      links: new AccountLinkRepository(),
      accounts: rows,
      passwords: accounts,
      orgs,
      signIn,
      audit,
    }),
    mailedLinks: new MailedLinkService({
      accounts: rows,
      factors,
      sessions,
      accountMail,
      passwords: accounts,
      mail,
      audit,
    }),
    identities: new LinkedIdentityService({
      providers: new Map(
        parseIdentityProviders(settings.identityProviders)?.map((provider) => [
          provider.name,
          new OpenIdProvider(provider, outbound),
        ]),
      ),
      identities: new LinkedIdentityRepository(),
      accounts: rows,
      accountService: accounts,
      accountMail,
      wrongCodes,
      signIn,
      clock,
      settings,
    }),
  };
}
