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
import { Webhook } from '../entities/webhooks/webhook.entity.ts';
import { AuditRepository } from '../repositories/team/audit.repository.ts';
import { AvatarRepository } from '../repositories/bots/avatar.repository.ts';
import { BotRepository } from '../repositories/bots/bot.repository.ts';
import { ConversationRepository } from '../repositories/conversations/conversation.repository.ts';
import { ContactRepository } from '../repositories/contacts/contact.repository.ts';
import { DeliveryLogRepository } from '../repositories/webhooks/delivery-log.repository.ts';
import { DeliveryQueueRepository } from '../repositories/webhooks/delivery-queue.repository.ts';
import { DeliveryResultsRepository } from '../repositories/webhooks/delivery-results.repository.ts';
import { EndpointPurgeRepository } from '../repositories/webhooks/endpoint-purge.repository.ts';
import { DocumentRepository } from '../repositories/knowledge/document.repository.ts';
import { ErasureRepository } from '../repositories/contacts/erasure.repository.ts';
import { InboxCountRepository } from '../repositories/conversations/inbox-count.repository.ts';
import { InvitationRepository } from '../repositories/team/invitation.repository.ts';
import { MemberRepository } from '../repositories/team/member.repository.ts';
import { MessageRepository } from '../repositories/conversations/message.repository.ts';
import { OrgRepository } from '../repositories/team/org.repository.ts';
import { PurgeRepository } from '../repositories/bots/purge.repository.ts';
import { RevisionRepository } from '../repositories/knowledge/revision.repository.ts';
import { ScopedRepository } from '../database/scoped.repository.ts';
import { SessionWriter } from '../repositories/conversations/session-writer.ts';
import { SitePageRepository } from '../repositories/knowledge/site-page.repository.ts';
import { TurnWriter } from '../repositories/conversations/turn-writer.ts';
import { VisitorRepository } from '../repositories/conversations/visitor.repository.ts';
import { Answerer } from './conversations/answering/answerer.ts';
import { PlaygroundService } from './conversations/answering/playground.service.ts';
import { LEASE_SECONDS, TurnService } from './conversations/answering/turns.service.ts';
import { createAccounts } from './accounts/create-accounts.ts';
import { AvatarService } from './bots/avatars.service.ts';
import { BotService } from './bots/bots.service.ts';
import { ContactLearning } from './contacts/contact-learning.service.ts';
import { ContactService } from './contacts/contacts.service.ts';
import { ErasureService } from './contacts/erasure.service.ts';
import { IdentityService } from './contacts/identity.service.ts';
import { LeadService } from './contacts/leads.service.ts';
import { HandoffService } from './conversations/handoff.service.ts';
import { InboxService } from './conversations/inbox.service.ts';
import { TextSearches } from './conversations/text-searches.ts';
import { ConversationService } from './conversations/conversations.service.ts';
import { WidgetService } from './conversations/widget.service.ts';
import { DirectoryService } from './bots/directory.service.ts';
import { EnrichmentService } from './conversations/enrichment/enrichment.service.ts';
import { databaseCheck, HealthService } from './installation/health.service.ts';
import { ChunkIndex } from './knowledge/chunk-index.ts';
import { CrawlService } from './knowledge/crawl.service.ts';
import { DocumentDownloads } from './knowledge/document-downloads.service.ts';
import { DocumentIntake } from './knowledge/document-intake.service.ts';
import { DocumentService } from './knowledge/documents.service.ts';
import { FullTextSearch } from './knowledge/full-text-search.ts';
import { IngestionService } from './knowledge/ingestion.service.ts';
import { PurgeService } from './bots/purge.service.ts';
import { SearchService } from './knowledge/search.service.ts';
import { ConversationFeed } from './conversations/live/conversation-feed.ts';
import { InboxEvents } from './conversations/live/inbox-events.service.ts';
import { VisitorEvents } from './conversations/live/visitor-events.service.ts';
import { createMail } from './mail/create-mail.ts';
import type { ReplyMails } from './mail/reply-mails.service.ts';
import { OutboxService } from './outbox/outbox.service.ts';
import { RateLimiter } from './requests/rate-limiter.ts';
import { AuditService } from './team/audit.service.ts';
import { createTeam } from './team/create-team.ts';
import { FormerRights } from './team/former-rights.ts';
import { OrgService } from './team/orgs.service.ts';
import { DeliveryRetries } from './webhooks/delivery-retries.service.ts';
import { DeliveryService } from './webhooks/deliveries.service.ts';
import { EndpointPurge } from './webhooks/endpoint-purge.service.ts';
import { WebhookService } from './webhooks/webhooks.service.ts';

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
  const knowledge = createKnowledge(deps, shared, webhooks.endpointPurge);
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
    audit,
    ...createTeam(deps, {
      ...shared,
      ...mails,
      ...accounts,
      orgs,
      limiter,
      audit,
      formerRights,
      endpoints: webhooks.endpointPurge,
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
interface Shared {
  bots: BotRepository;
  outbox: OutboxService;
}

/** Endpoints, their log, and the retries of what could not be delivered. */
function createWebhooks(deps: ServiceDeps, { bots, outbox }: Shared) {
  const { settings, queues, keyring, webhookOutbound: outbound, versions, clock, log } = deps;
  const rows = {
    webhooks: new ScopedRepository(Webhook, 'webhook'),
    deliveries: new DeliveryLogRepository(),
  };
  return {
    webhooks: new WebhookService({ ...rows, bots, outbox, keyring, outbound }),
    deliveries: new DeliveryService({ ...rows, outbox, keyring, versions, clock, settings }),
    endpointPurge: new EndpointPurge({ endpoints: new EndpointPurgeRepository(), outbox }),
    deliveryRetries: new DeliveryRetries({
      queue: new DeliveryQueueRepository(queues),
      results: new DeliveryResultsRepository(queues, settings),
      deliveries: rows.deliveries,
      keyring,
      outbound,
      clock,
      log,
      settings,
    }),
  };
}

/** Documents on their way in, through the index, and out. */
function createKnowledge(deps: ServiceDeps, { bots, outbox }: Shared, endpoints: EndpointPurge) {
  const { settings, keyring, outbound, storage, clock, log } = deps;
  const rows = { bots, documents: new DocumentRepository() };
  const revisions = new RevisionRepository();
  const chunkIndex = new ChunkIndex();
  const documents = new DocumentService({ ...rows, chunkIndex, outbox, keyring });
  return {
    documents,
    documentIntake: new DocumentIntake({ ...rows, outbox, outbound, storage, log }),
    documentDownloads: new DocumentDownloads({
      ...rows,
      library: documents,
      storage,
      keyring,
      clock,
      settings,
    }),
    ingestion: new IngestionService({
      bots,
      revisions,
      chunkIndex,
      outbox,
      outbound,
      storage,
      settings,
    }),
    crawl: new CrawlService({ revisions, pages: new SitePageRepository(), outbound, outbox }),
    purge: new PurgeService({ purge: new PurgeRepository(), endpoints, storage }),
    search: new SearchService({ bots, fullText: new FullTextSearch() }),
  };
}

/** Visitors' sessions and turns, the answers to them, and how the team sees both. */
function createConversations(
  deps: ServiceDeps,
  { bots, outbox, replyMails }: Shared & { replyMails: ReplyMails },
  search: SearchService,
) {
  const contacts = new ContactRepository();
  const { settings, database, keyring, models, clock, log } = deps;
  const conversations = new ConversationRepository();
  const messages = new MessageRepository();
  const members = new MemberRepository();
  const writer = new TurnWriter(database, LEASE_SECONDS);
  const answerer = new Answerer({ settings, keyring, models, search, log });
  const feed = new ConversationFeed({ databaseUrl: settings.databaseUrl, log });
  const handoffs = new HandoffService({ conversations, bots, messages, outbox, clock });
  const widget = new WidgetService({
    bots,
    conversations,
    contacts,
    members,
    messages,
    identities: new IdentityService({ contacts, outbox, keyring, clock }),
    handoffs,
    writer: new SessionWriter(database),
    outbox,
    keyring,
    settings,
    clock,
  });
  const turns = new TurnService({
    database,
    bots,
    conversations,
    messages,
    writer,
    answerer,
    learning: new ContactLearning({ conversations, contacts, messages, outbox }),
    feed,
    log,
  });
  const inbox = new InboxService({
    replyMails,
    conversations,
    inboxCount: new InboxCountRepository(),
    contacts,
    messages,
    members,
    writer,
    turns,
    keyring,
    clock,
  });
  const visitors = new VisitorRepository(settings.visitorTokenSeconds);
  const searches = new TextSearches(settings);
  return {
    conversations: new ConversationService({
      conversations,
      contacts,
      messages,
      outbox,
      searches,
      keyring,
    }),
    enrichment: new EnrichmentService({
      settings,
      keyring,
      models,
      bots,
      conversations,
      contacts,
      messages,
      outbox,
    }),
    contacts: new ContactService({ contacts, outbox, keyring, searches }),
    erasure: new ErasureService({
      contacts,
      conversations,
      erasure: new ErasureRepository(),
      outbox,
      keyring,
    }),
    leads: new LeadService({ bots, conversations, contacts, messages, outbox }),
    visitors,
    feed,
    handoffs,
    visitorEvents: new VisitorEvents({ database, feed, messages, visitors, widget, settings }),
    inbox,
    inboxEvents: new InboxEvents({ feed, inbox }),
    widget,
    playground: new PlaygroundService({ bots, answerer, models, keyring }),
    turns,
  };
}
