import type { OutboundClient } from '../adapters/http/outbound-client.ts';
import type { Keyring } from '../adapters/keys/keyring.ts';
import type { ModelFactory } from '../adapters/llm/model-factory.ts';
import type { MailTransport } from '../adapters/mail/mail-transport.ts';
import type { WorkflowProbe } from '../adapters/temporal/workflow-probe.ts';
import type { ObjectStorage } from '../adapters/storage/object-storage.ts';
import type { Tracing } from '../adapters/telemetry/tracing.ts';
import type { ApiVersions } from '../core/api-versions.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Settings } from '../core/settings/settings.ts';
import type { Database } from '../database/database.ts';
import { AuditRepository } from '../repositories/team/audit.repository.ts';
import { AvatarRepository } from '../repositories/bots/avatar.repository.ts';
import { BotRepository } from '../repositories/bots/bot.repository.ts';
import { InvitationRepository } from '../repositories/team/invitation.repository.ts';
import { MemberRepository } from '../repositories/team/member.repository.ts';
import { OrgRepository } from '../repositories/team/org.repository.ts';
import { createAccounts } from './accounts/create-accounts.ts';
import { AvatarService } from './bots/avatars.service.ts';
import { BotService } from './bots/bots.service.ts';
import { DirectoryService } from './bots/directory.service.ts';
import { databaseCheck, HealthService } from './installation/health.service.ts';
import { createMail } from './mail/create-mail.ts';
import { OutboxService } from './outbox/outbox.service.ts';
import { RateLimiter } from './requests/rate-limiter.ts';
import { AuditService } from './team/audit.service.ts';
import { createTeam } from './team/create-team.ts';
import { FormerRights } from './team/former-rights.ts';
import { OrgService } from './team/orgs.service.ts';
import { BacklogRepository } from '../repositories/installation/backlog.repository.ts';
import { ExpiryRepository } from '../repositories/installation/expiry.repository.ts';
import { createConversations } from './conversations/create-conversations.ts';
import { createKnowledge } from './knowledge/create-knowledge.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';

/** The outside world and the process's own means, as both processes assemble them. */
export interface ServiceDeps {
  settings: Settings;
  database: Database;
  queues: Database;
  keyring: Keyring;
  outbound: OutboundClient;
  /** Sends secrets by https alone, but to addresses that the operator allowed. */
  secretOutbound: OutboundClient;
  /** From `createWebhookClient`. */
  webhookOutbound: OutboundClient;
  models: ModelFactory;
  storage: ObjectStorage;
  /** From `createMailTransport`. */
  mailTransport: MailTransport | undefined;
  versions: ApiVersions;
  clock: Clock;
  log: Logger;
  tracing?: Tracing | undefined;
  workflows: WorkflowProbe;
}

/** All use cases, wired once per process. */
export function createServices(deps: ServiceDeps) {
  const { settings, database, keyring, outbound, storage } = deps;
  const shared = { bots: new BotRepository(), outbox: new OutboxService(deps.tracing) };
  const mails = createMail(deps, shared.outbox);
  const limiter = new RateLimiter(database);
  const orgs = new OrgService({
    orgs: new OrgRepository(),
    members: new MemberRepository(),
    outbox: shared.outbox,
    mail: mails.mail,
  });
  const audit = new AuditService(new AuditRepository());
  const formerRights = new FormerRights({
    members: new MemberRepository(),
    invitations: new InvitationRepository(),
    outbox: shared.outbox,
  });
  const accounts = createAccounts(deps, { ...shared, ...mails, orgs, limiter, audit, formerRights });
  const webhooks = createWebhooks(deps, shared);
  const knowledge = createKnowledge(deps, shared, webhooks.webhookPurge);
  const conversations = createConversations(deps, { ...shared, ...mails }, knowledge.search);
  return {
    settings,
    versions: deps.versions,
    rateLimiter: limiter,
    ...accounts,
    health: new HealthService(
      { database: databaseCheck(database), storage: () => storage.check() },
      deps.workflows,
    ),
    bots: new BotService({
      ...shared,
      keyring,
      outbound,
      secretOutbound: deps.secretOutbound,
      clock: deps.clock,
      members: new MemberRepository(),
      themeMaxBytes: settings.widgetThemeMaxBytes,
    }),
    avatars: new AvatarService({
      ...shared,
      avatars: new AvatarRepository(),
      storage,
      log: deps.log,
      baseUrl: settings.baseUrl,
    }),
    ...webhooks,
    ...knowledge,
    ...conversations,
    ...mails,
    expiry: new ExpiryRepository(settings),
    backlog: new BacklogRepository(database),
    audit,
    ...createTeam(deps, {
      ...shared,
      ...mails,
      ...accounts,
      orgs,
      limiter,
      audit,
      formerRights,
      endpoints: webhooks.webhookPurge,
    }),
    directory: new DirectoryService({
      widget: conversations.widget,
      leads: conversations.leads,
      visitors: conversations.visitors,
      keyring: deps.keyring,
    }),
  };
}

export type Services = ReturnType<typeof createServices>;

/** What use cases of all kinds work with. */
export interface Shared {
  bots: BotRepository;
  outbox: OutboxService;
}
