import { mergeUnique } from '../core/merge-unique.ts';
import { Plans } from '../core/billing/plans.ts';
import { ErasedPersonRepository } from '../repositories/archive/erased-person.repository.ts';
import { AuditRepository } from '../repositories/team/audit.repository.ts';
import { FlowRevisionRepository } from '../repositories/flows/flow-revision.repository.ts';
import { AvatarRepository } from '../repositories/bots/avatar.repository.ts';
import { BotRepository } from '../repositories/bots/bot.repository.ts';
import { InvitationRepository } from '../repositories/team/invitation.repository.ts';
import { IssuedKeyRepository } from '../repositories/team/issued-key.repository.ts';
import { MemberRepository } from '../repositories/team/member.repository.ts';
import { RequestLogRepository } from '../repositories/requests/request-log.repository.ts';
import { RateWindowRepository } from '../repositories/requests/rate-window.repository.ts';
import { OrgRepository } from '../repositories/team/org.repository.ts';
import { createAccounts } from './accounts/create-accounts.ts';
import { AvatarService } from './bots/avatar-service.ts';
import { BotService } from './bots/bot-service.ts';
import { DirectoryService } from './bots/directory-service.ts';
import { createDatabaseCheck, HealthService } from './installation/health-service.ts';
import { createMail } from './mail/create-mail.ts';
import { OutboxService } from './outbox/outbox-service.ts';
import { CostLimits } from './requests/cost-limits.ts';
import { NamedResources } from './requests/named-resources.ts';
import { RateLimiter } from './requests/rate-limiter.ts';
import { RequestLog } from './requests/request-log.ts';
import { AuditService } from './team/audit-service.ts';
import { createAccessNotices } from './team/create-access-notices.ts';
import { createTeam } from './team/create-team.ts';
import { AccessRevocation } from './team/access-revocation.ts';
import { OrgService } from './team/org-service.ts';
import { BacklogRepository } from '../repositories/installation/backlog.repository.ts';
import { ServedRoleRepository } from '../repositories/installation/served-role.repository.ts';
import { ServedRoles } from './installation/served-roles.ts';
import { ExpiryRepository } from '../repositories/installation/expiry.repository.ts';
import { createConversations } from './conversations/create-conversations.ts';
import { FlowRequirements } from './flows/flow-requirements.ts';
import { createBookingLifecycle } from './bookings/create-booking-lifecycle.ts';
import { createBilling } from './billing/create-billing.ts';
import { createBookings } from './bookings/create-bookings.ts';
import { createCalendarEvents, createCalendars } from './bookings/calendars/create-calendars.ts';
import { createFlows } from './flows/create-flows.ts';
import { createKnowledge } from './knowledge/create-knowledge.ts';
import { createAnalytics } from './analytics/create-analytics.ts';
import { createArchive } from './archive/create-archive.ts';
import { ErasedPeople } from './archive/erased-people.ts';
import { createAlerts } from './alerts/create-alerts.ts';
import { createEncryption } from './encryption/create-encryption.ts';
import { createKeyChecks } from './encryption/create-key-checks.ts';
import { createMcp } from './mcp/create-mcp.ts';
import { createTestRequirements, createTestSets } from './test-sets/create-test-sets.ts';
import { createUsage } from './usage/create-usage.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';
import type { ServiceDeps } from './service-deps.ts';
import { createGeneration } from './bots/generation/create-generation.ts';
import { createVersions } from './bots/versions/create-versions.ts';

/** Creates all services, once per process. Returns an object with the services of each feature. */
export function createServices(deps: ServiceDeps) {
  const { settings, database, keyring, outbound, storage } = deps;
  const shared = { bots: new BotRepository(), outbox: new OutboxService(deps.tracing) };
  const plans = new Plans(deps.settings);
  const encryption = createEncryption(deps, shared);
  const mails = createMail(deps, shared.outbox);
  const notified = createAccessNotices(deps, mails);
  const usage = createUsage(deps, { ...shared, ...mails, plans });
  const billing = createBilling(deps, { ...shared, plans });
  const calendars = createCalendars(deps, { ...shared, ...mails, ...notified });
  const limiter = new RateLimiter(database);
  const servedRoles = new ServedRoles(new ServedRoleRepository(database));
  const orgs = new OrgService({
    orgs: new OrgRepository(),
    members: new MemberRepository(),
    rateWindows: new RateWindowRepository(database),
    outbox: shared.outbox,
    mail: mails.mail,
    ...notified,
    calendars: calendars.calendarRemoval,
  });
  const audit = new AuditService({
    audit: new AuditRepository(),
    keys: new IssuedKeyRepository(),
    members: new MemberRepository(),
  });
  const accessRevocation = new AccessRevocation({
    members: new MemberRepository(),
    invitations: new InvitationRepository(),
    outbox: shared.outbox,
  });
  const accounts = createAccounts(deps, { ...shared, ...mails, orgs, limiter, audit, accessRevocation });
  const erased = new ErasedPeople(new ErasedPersonRepository(), keyring);
  const webhooks = createWebhooks(deps, shared);
  const knowledge = createKnowledge(deps, { ...shared, ...usage, ...encryption }, webhooks.webhookPurge);
  const booked = createBookings(deps, { ...shared, ...mails, ...calendars });
  const { flowCalendar } = booked;
  const conversations = createConversations(
    deps,
    { ...shared, ...mails, ...usage, ...encryption, flowCalendar, erased },
    knowledge.search,
  );
  const bots = new BotService({
    ...shared,
    keyring,
    outbound,
    secretOutbound: deps.secretOutbound,
    clock: deps.clock,
    members: new MemberRepository(),
    refreshes: knowledge.refreshes,
    quotas: usage.quotas,
    flowRequirements: new FlowRequirements(new FlowRevisionRepository()),
    testRequirements: createTestRequirements(),
  });
  const images = new AvatarRepository();
  const avatars = new AvatarService({
    ...shared,
    avatars: images,
    storage,
    log: deps.log,
    baseUrl: settings.baseUrl,
  });
  const flows = createFlows(deps, {
    ...shared,
    ...usage,
    search: knowledge.search,
    playground: conversations.playground,
    flowCalendar,
  });
  const calendarEvents = createCalendarEvents(calendars, { ...shared, follower: booked.bookings });
  const versions = createVersions({
    ...shared,
    settings,
    botService: bots,
    avatars,
    avatarRows: images,
    ...flows,
  });
  const analytics = createAnalytics(deps);
  return {
    settings,
    versions: deps.versions,
    requests: {
      rateLimiter: limiter,
      requestLog: new RequestLog({
        rows: new RequestLogRepository(),
        keys: new IssuedKeyRepository(),
        database,
        keyring,
        clock: deps.clock,
        log: deps.log,
      }),
      costLimits: new CostLimits(new OrgRepository(), new RateWindowRepository(database)),
      namedResources: new NamedResources(),
    },
    installation: {
      health: new HealthService(
        { database: createDatabaseCheck(database), storage: () => storage.check() },
        { workflows: deps.workflows, servedRoles },
      ),
      expiry: new ExpiryRepository(settings),
      backlog: new BacklogRepository(database),
      servedRoles,
    },
    accounts,
    team: mergeUnique(
      { audit },
      notified,
      createTeam(deps, {
        ...shared,
        ...usage,
        ...mails,
        ...notified,
        ...accounts,
        orgs,
        limiter,
        audit,
        accessRevocation,
        endpoints: webhooks.webhookPurge,
      }),
    ),
    bots: mergeUnique(
      {
        bots,
        avatars,
        directory: new DirectoryService({
          widget: conversations.widget,
          leads: conversations.leads,
          visitors: conversations.visitors,
          keyring: deps.keyring,
        }),
      },
      versions,
      createGeneration(deps, {
        ...shared,
        ...usage,
        ...knowledge,
        ...versions,
        botService: bots,
        avatars,
        avatarRows: images,
      }),
    ),
    knowledge,
    conversations,
    flows,
    bookings: mergeUnique(
      calendars,
      booked,
      calendarEvents,
      createBookingLifecycle(deps, { ...shared, ...mails, ...booked, ...calendarEvents }),
    ),
    archive: createArchive(deps, { ...shared, ...usage, ...encryption, botService: bots, erased }),
    testSets: createTestSets(deps, {
      ...shared,
      botService: bots,
      playground: conversations.playground,
      questions: analytics.questions,
    }),
    webhooks,
    analytics,
    alerts: createAlerts(deps, { ...shared, ...mails, ...notified, ...usage }),
    usage,
    billing,
    mcp: createMcp(deps, limiter),
    encryption: mergeUnique(encryption, createKeyChecks(deps, { ...encryption, ...mails })),
    mail: mails,
  };
}

export type Services = ReturnType<typeof createServices>;
