import { DataSource } from 'typeorm';
import type { Settings } from '../core/settings/settings.ts';
import { AccountLink, SignInCode } from './accounts/account-link.entity.ts';
import { DeletedAccount } from './accounts/deleted-account.entity.ts';
import { AccountRequest } from './accounts/account-request.entity.ts';
import { ApiKey } from './team/api-key.entity.ts';
import { ToolInvocation } from './mcp/tool-invocation.entity.ts';
import { AuditEvent } from './team/audit-event.entity.ts';
import { ArchiveFile } from './archive/archive-file.entity.ts';
import { ArchiveJob } from './archive/archive-job.entity.ts';
import { ArchiveUpload } from './archive/archive-upload.entity.ts';
import { ErasedPerson } from './archive/erased-person.entity.ts';
import { Avatar } from './bots/avatar.entity.ts';
import { BillingAccount } from './billing/billing-account.entity.ts';
import { BillingEvent } from './billing/billing-event.entity.ts';
import { Checkout } from './billing/checkout.entity.ts';
import { CreditEntry } from './billing/credit-entry.entity.ts';
import { Receipt } from './billing/receipt.entity.ts';
import { Booking } from './bookings/booking.entity.ts';
import { CalendarAttempt, CalendarBusy, CalendarConnection } from './bookings/calendar-connection.entity.ts';
import { Bot } from './bots/bot.entity.ts';
import { BotGeneration } from './bots/bot-generation.entity.ts';
import { BotVersion } from './bots/bot-version.entity.ts';
import { Chunk } from './knowledge/chunk.entity.ts';
import { ChunkVector } from './knowledge/chunk-vector.entity.ts';
import { Contact } from './contacts/contact.entity.ts';
import { ContentNotice } from './mail/content-notice.entity.ts';
import { Conversation } from './conversations/conversation.entity.ts';
import { DeletedConversation } from './conversations/deleted-conversation.entity.ts';
import { Document } from './knowledge/document.entity.ts';
import { EmailPreference } from './mail/email-preference.entity.ts';
import { EmbeddingSet } from './knowledge/embedding-set.entity.ts';
import { EmbeddingTurn } from './knowledge/embedding-turn.entity.ts';
import { DataKeyRow, WorkspaceKey } from './encryption/workspace-key.entity.ts';
import { KeyServiceRow } from './encryption/key-service.entity.ts';
import { OrgEncryption } from './encryption/org-encryption.entity.ts';
import { Flow } from './flows/flow.entity.ts';
import { FlowRevision } from './flows/flow-revision.entity.ts';
import { FlowSession } from './flows/flow-session.entity.ts';
import { IdempotencyKey } from './requests/idempotency-key.entity.ts';
import { InboxDelta } from './conversations/inbox-delta.entity.ts';
import { Invitation } from './team/invitation.entity.ts';
import { KnownAddress } from './accounts/known-address.entity.ts';
import { IdentityAttempt, LinkedIdentity } from './accounts/linked-identity.entity.ts';
import { MailRow } from './mail/mail.entity.ts';
import { Membership } from './team/membership.entity.ts';
import { Message } from './conversations/message.entity.ts';
import { AnalyticsDelta } from './analytics/analytics-delta.entity.ts';
import { AnalyticsRollup } from './analytics/analytics-rollup.entity.ts';
import { Handoff } from './analytics/handoff.entity.ts';
import { EventCount } from './alerts/event-count.entity.ts';
import { AlertDigest } from './alerts/alert-digest.entity.ts';
import { AnnouncedReader } from './mail/announced-reader.entity.ts';
import { WeeklyMail } from './mail/weekly-mail.entity.ts';
import { MonthlyUsage } from './bots/monthly-usage.entity.ts';
import { Org } from './team/org.entity.ts';
import { OutboxRow } from './outbox/outbox.entity.ts';
import { QuestionCluster } from './analytics/question-cluster.entity.ts';
import { QuestionDay } from './analytics/question-day.entity.ts';
import { QuestionDelta } from './analytics/question-delta.entity.ts';
import { QuestionMember } from './analytics/question-member.entity.ts';
import { QuestionTerm } from './analytics/question-term.entity.ts';
import { QuestionBackfill, QueuedQuestion } from './analytics/queued-question.entity.ts';
import { RateWindow } from './requests/rate-window.entity.ts';
import { RefusedAddress } from './mail/refused-address.entity.ts';
import { SearchTerm } from './knowledge/search-term.entity.ts';
import { Session } from './accounts/session.entity.ts';
import { Alert } from './alerts/alert.entity.ts';
import { AlertAttempt, AlertDestination } from './alerts/alert-destination.entity.ts';
import { AlertDay, AlertMessage } from './alerts/alert-message.entity.ts';
import { AlertInbound, AlertProvider } from './alerts/alert-provider.entity.ts';
import { AlertPolicy } from './alerts/alert-policy.entity.ts';
import { AnsweredChallenge, RecoveryCode, TotpSecret } from './accounts/totp-secret.entity.ts';
import { PlanMonth } from './usage/plan-month.entity.ts';
import { PlanNotice } from './usage/plan-notice.entity.ts';
import { UsageDay } from './usage/usage-day.entity.ts';
import { UsageDelta } from './usage/usage-delta.entity.ts';
import { UsageTotal } from './usage/usage-total.entity.ts';
import { User } from './accounts/user.entity.ts';
import { VisitorConsent } from './contacts/visitor-consent.entity.ts';
import { WebhookDelivery } from './webhooks/webhook-delivery.entity.ts';
import { ContentSubscriber } from '../database/content-subscriber.ts';
import { Database } from '../database/database.ts';
import { Webhook } from './webhooks/webhook.entity.ts';
import { InitialSchema1790000000000 } from './migrations/1790000000000-initial-schema.ts';
import { IndexesOfLists1790000010000 } from './migrations/1790000010000-indexes-of-lists.ts';
import { TraceContext1790000020000 } from './migrations/1790000020000-trace-context.ts';
import { WebhookReplays1790000030000 } from './migrations/1790000030000-webhook-replays.ts';
import { ReplaysOutliveOriginals1790000040000 } from './migrations/1790000040000-replays-outlive-originals.ts';
import { TransientFailures1790000050000 } from './migrations/1790000050000-transient-failures.ts';
import { RoomForDeliveryUpdates1790000060000 } from './migrations/1790000060000-room-for-delivery-updates.ts';
import { ClaimIdempotencyKey1790000070000 } from './migrations/1790000070000-claim-idempotency-key.ts';
import { Contacts1790000080000 } from './migrations/1790000080000-contacts.ts';
import { Handoff1790000090000 } from './migrations/1790000090000-handoff.ts';
import { ConversationChanges1790000091000 } from './migrations/1790000091000-conversation-changes.ts';
import { IdleConversations1790000100000 } from './migrations/1790000100000-idle-conversations.ts';
import { Avatars1790000110000 } from './migrations/1790000110000-avatars.ts';
import { QueuesByWorkspace1790000120000 } from './migrations/1790000120000-queues-by-workspace.ts';
import { HiddenWebhooks1790000130000 } from './migrations/1790000130000-hidden-webhooks.ts';
import { Identities1790000160000 } from './migrations/1790000160000-identities.ts';
import { InboxCount1790000170000 } from './migrations/1790000170000-inbox-count.ts';
import { DeletedConversations1790000180000 } from './migrations/1790000180000-deleted-conversations.ts';
import { RemovedFields1790000181000 } from './migrations/1790000181000-removed-fields.ts';
import { LeadDetails1790000185000 } from './migrations/1790000185000-lead-details.ts';
import { VisitorConsents1790000186000 } from './migrations/1790000186000-visitor-consents.ts';
import { OnDemandFirst1790000195000 } from './migrations/1790000195000-on-demand-first.ts';
import { Accounts1790000200000 } from './migrations/1790000200000-accounts.ts';
import { AccountMail1790000201000 } from './migrations/1790000201000-account-mail.ts';
import { Hierarchy1790000220000 } from './migrations/1790000220000-hierarchy.ts';
import { LastOwner1790000221000 } from './migrations/1790000221000-last-owner.ts';
import { AuditLog1790000222000 } from './migrations/1790000222000-audit-log.ts';
import { Invitations1790000223000 } from './migrations/1790000223000-invitations.ts';
import { Mails1790000240000 } from './migrations/1790000240000-mails.ts';
import { EmailPreferences1790000241000 } from './migrations/1790000241000-email-preferences.ts';
import { SecondFactor1790000270000 } from './migrations/1790000270000-second-factor.ts';
import { LinkedIdentities1790000271000 } from './migrations/1790000271000-linked-identities.ts';
import { ReplacedKeys1790000320000 } from './migrations/1790000320000-replaced-keys.ts';
import { RoomForConversationUpdates1790000330000 } from './migrations/1790000330000-room-for-conversation-updates.ts';
import { KnownAddresses1790000340000 } from './migrations/1790000340000-known-addresses.ts';
import { MessagesOfConversations1790000350000 } from './migrations/1790000350000-messages-of-conversations.ts';
import { InboxChanges1790000380000 } from './migrations/1790000380000-inbox-changes.ts';
import { HandoffsOfFormerMembers1790000381000 } from './migrations/1790000381000-handoffs-of-former-members.ts';
import { HierarchyOfWholeStatements1790000400000 } from './migrations/1790000400000-hierarchy-of-whole-statements.ts';
import { SystemMessages1790000510000 } from './migrations/1790000510000-system-messages.ts';
import { SystemMessagesOfHandoffs1790000511000 } from './migrations/1790000511000-system-messages-of-handoffs.ts';
import { SearchOfConversations1790000520000 } from './migrations/1790000520000-search-of-conversations.ts';
import { ToldFailuresAndUsage1790000522000 } from './migrations/1790000522000-told-failures-and-usage.ts';
import { MailedReplies1790000521000 } from './migrations/1790000521000-mailed-replies.ts';
import { BrowsersOfVisitors1790000530000 } from './migrations/1790000530000-browsers-of-visitors.ts';
import { BotsSwitchedOff1790000531000 } from './migrations/1790000531000-bots-switched-off.ts';
import { HandoffSettings1790000532000 } from './migrations/1790000532000-handoff-settings.ts';
import { ConfirmedSessions1790000540000 } from './migrations/1790000540000-confirmed-sessions.ts';
import { PausedCodes1790000541000 } from './migrations/1790000541000-paused-codes.ts';
import { OwnersFromAbove1790000550000 } from './migrations/1790000550000-owners-from-above.ts';
import { RotatedIdentitySecrets1790000551000 } from './migrations/1790000551000-rotated-identity-secrets.ts';
import { CrawlCounts1790000560000 } from './migrations/1790000560000-crawl-counts.ts';
import { SessionsVouchedFor1790000700000 } from './migrations/1790000700000-sessions-vouched-for.ts';
import { AttemptLogs1790000650000 } from './migrations/1790000650000-attempt-logs.ts';
import { HandedInvitations1790000650001 } from './migrations/1790000650001-handed-invitations.ts';
import { IndexesOfPurges1790000730000 } from './migrations/1790000730000-indexes-of-purges.ts';
import { Embeddings1790000840000 } from './migrations/1790000840000-embeddings.ts';
import { UnansweredQuestions1790000870000 } from './migrations/1790000870000-unanswered-questions.ts';
import { DocumentsByAddress1790000830000 } from './migrations/1790000830000-documents-by-address.ts';
import { AuditedActions1790000552000 } from './migrations/1790000552000-audited-actions.ts';
import { OrganizationsByTheirParents1790000710000 } from './migrations/1790000710000-organizations-by-their-parents.ts';
import { TimesOfFailures1790000610000 } from './migrations/1790000610000-times-of-failures.ts';
import { RefreshedSources1790000860000 } from './migrations/1790000860000-refreshed-sources.ts';
import { Flows1790000900000 } from './migrations/1790000900000-flows.ts';
import { ActiveFlows1790000910000 } from './migrations/1790000910000-active-flows.ts';
import { VersionAuthors1790000927000 } from './migrations/1790000927000-version-authors.ts';
import { CalendarFailures1790000944000 } from './migrations/1790000944000-calendar-failures.ts';
import { FollowedBookings1790000942000 } from './migrations/1790000942000-followed-bookings.ts';
import { EventCounts1790000955000 } from './migrations/1790000955000-event-counts.ts';
import { Alerts1790000950000 } from './migrations/1790000950000-alerts.ts';
import { AlertDigests1790000956000 } from './migrations/1790000956000-alert-digests.ts';
import { WeeklyMails1790000957000 } from './migrations/1790000957000-weekly-mails.ts';
import { ReadUpdates1790000958000 } from './migrations/1790000958000-read-updates.ts';
import { TurnsOfChats1790000959000 } from './migrations/1790000959000-turns-of-chats.ts';
import { Encryption1791100000000 } from './migrations/1791100000000-encryption.ts';
import { SealedConversations1791100001000 } from './migrations/1791100001000-sealed-conversations.ts';
import { SealedQueues1791100020000 } from './migrations/1791100020000-sealed-queues.ts';
import { SealedContacts1791100030000 } from './migrations/1791100030000-sealed-contacts.ts';
import { SealedKnowledge1791100031000 } from './migrations/1791100031000-sealed-knowledge.ts';
import { SealedDrafts1791100032000 } from './migrations/1791100032000-sealed-drafts.ts';
import { MarkedQuestions1791100033000 } from './migrations/1791100033000-marked-questions.ts';
import { SealedArchives1791200000000 } from './migrations/1791200000000-sealed-archives.ts';
import { DeletedAccounts1791200010000 } from './migrations/1791200010000-deleted-accounts.ts';
import { ToldKeyFailures1791100090000 } from './migrations/1791100090000-told-key-failures.ts';
import { SealedByOperator1791210000000 } from './migrations/1791210000000-sealed-by-operator.ts';
import { SealedNotesOfDrafts1791210020000 } from './migrations/1791210020000-sealed-notes-of-drafts.ts';
import { DigestsOfRefusedAddresses1791210010000 } from './migrations/1791210010000-digests-of-refused-addresses.ts';
import { Analytics1791000030000 } from './migrations/1791000030000-analytics.ts';
import { Payers1791000000000 } from './migrations/1791000000000-payers.ts';
import { BillingAccounts1791000010000 } from './migrations/1791000010000-billing-accounts.ts';
import { Usage1791000020000 } from './migrations/1791000020000-usage.ts';
import { UsageOfAlerts1791000021000 } from './migrations/1791000021000-usage-of-alerts.ts';
import { QuestionDaysByIndex1791000041000 } from './migrations/1791000041000-question-days-by-index.ts';
import { PlanMonthsByMonth1791000022000 } from './migrations/1791000022000-plan-months-by-month.ts';
import { Archives1791100010000 } from './migrations/1791100010000-archives.ts';
import { DeletedAgain1791100011000 } from './migrations/1791100011000-deleted-again.ts';
import { Questions1791000040000 } from './migrations/1791000040000-questions.ts';
import { Checkouts1791000011000 } from './migrations/1791000011000-checkouts.ts';
import { FlowSessions1790000930000 } from './migrations/1790000930000-flow-sessions.ts';
import { Bookings1790000940000 } from './migrations/1790000940000-bookings.ts';
import { BotVersions1790000880000 } from './migrations/1790000880000-bot-versions.ts';
import { BotGenerations1790000890000 } from './migrations/1790000890000-bot-generations.ts';
import { ToolInvocations1791300000000 } from './migrations/1791300000000-tool-invocations.ts';
import { AnswersByStatement1791310000000 } from './migrations/1791310000000-answers-by-statement.ts';
import { ContactsByMergedIds1791310010000 } from './migrations/1791310010000-contacts-by-merged-ids.ts';

export const entities = [
  AccountLink,
  AccountRequest,
  Alert,
  AnalyticsDelta,
  AnalyticsRollup,
  Handoff,
  AlertAttempt,
  AlertDay,
  AlertDestination,
  AlertInbound,
  AlertMessage,
  AlertPolicy,
  AlertProvider,
  AnsweredChallenge,
  ApiKey,
  AuditEvent,
  ToolInvocation,
  Avatar,
  BillingAccount,
  BillingEvent,
  Booking,
  Bot,
  BotGeneration,
  BotVersion,
  CalendarAttempt,
  CalendarBusy,
  CalendarConnection,
  Checkout,
  CreditEntry,
  Flow,
  FlowRevision,
  FlowSession,
  Chunk,
  ChunkVector,
  Contact,
  ContentNotice,
  Conversation,
  DataKeyRow,
  DeletedAccount,
  DeletedConversation,
  Document,
  EmailPreference,
  EmbeddingSet,
  EmbeddingTurn,
  EventCount,
  IdempotencyKey,
  Invitation,
  IdentityAttempt,
  InboxDelta,
  KeyServiceRow,
  KnownAddress,
  LinkedIdentity,
  MailRow,
  Membership,
  Message,
  MonthlyUsage,
  UsageDelta,
  UsageDay,
  UsageTotal,
  PlanMonth,
  ArchiveJob,
  ArchiveFile,
  ArchiveUpload,
  ErasedPerson,
  PlanNotice,
  Org,
  OrgEncryption,
  OutboxRow,
  QuestionBackfill,
  QuestionCluster,
  QuestionDay,
  QuestionDelta,
  QuestionMember,
  QuestionTerm,
  QueuedQuestion,
  RateWindow,
  Receipt,
  RefusedAddress,
  RecoveryCode,
  SearchTerm,
  Session,
  SignInCode,
  TotpSecret,
  User,
  VisitorConsent,
  Webhook,
  AlertDigest,
  AnnouncedReader,
  WeeklyMail,
  WebhookDelivery,
  WorkspaceKey,
];

export const migrations = [
  InitialSchema1790000000000,
  IndexesOfLists1790000010000,
  TraceContext1790000020000,
  WebhookReplays1790000030000,
  ReplaysOutliveOriginals1790000040000,
  TransientFailures1790000050000,
  RoomForDeliveryUpdates1790000060000,
  ClaimIdempotencyKey1790000070000,
  Contacts1790000080000,
  Handoff1790000090000,
  ConversationChanges1790000091000,
  IdleConversations1790000100000,
  Avatars1790000110000,
  QueuesByWorkspace1790000120000,
  HiddenWebhooks1790000130000,
  Identities1790000160000,
  InboxCount1790000170000,
  DeletedConversations1790000180000,
  RemovedFields1790000181000,
  LeadDetails1790000185000,
  VisitorConsents1790000186000,
  OnDemandFirst1790000195000,
  Accounts1790000200000,
  AccountMail1790000201000,
  Hierarchy1790000220000,
  LastOwner1790000221000,
  AuditLog1790000222000,
  Invitations1790000223000,
  Mails1790000240000,
  EmailPreferences1790000241000,
  SecondFactor1790000270000,
  LinkedIdentities1790000271000,
  ReplacedKeys1790000320000,
  RoomForConversationUpdates1790000330000,
  KnownAddresses1790000340000,
  MessagesOfConversations1790000350000,
  InboxChanges1790000380000,
  HandoffsOfFormerMembers1790000381000,
  HierarchyOfWholeStatements1790000400000,
  SystemMessages1790000510000,
  SystemMessagesOfHandoffs1790000511000,
  SearchOfConversations1790000520000,
  MailedReplies1790000521000,
  ToldFailuresAndUsage1790000522000,
  BrowsersOfVisitors1790000530000,
  BotsSwitchedOff1790000531000,
  HandoffSettings1790000532000,
  ConfirmedSessions1790000540000,
  PausedCodes1790000541000,
  OwnersFromAbove1790000550000,
  RotatedIdentitySecrets1790000551000,
  CrawlCounts1790000560000,
  AttemptLogs1790000650000,
  HandedInvitations1790000650001,
  IndexesOfPurges1790000730000,
  DocumentsByAddress1790000830000,
  AuditedActions1790000552000,
  OrganizationsByTheirParents1790000710000,
  TimesOfFailures1790000610000,
  SessionsVouchedFor1790000700000,
  Embeddings1790000840000,
  RefreshedSources1790000860000,
  UnansweredQuestions1790000870000,
  BotVersions1790000880000,
  BotGenerations1790000890000,
  ToolInvocations1791300000000,
  AnswersByStatement1791310000000,
  ContactsByMergedIds1791310010000,
  Flows1790000900000,
  ActiveFlows1790000910000,
  VersionAuthors1790000927000,
  FlowSessions1790000930000,
  Bookings1790000940000,
  FollowedBookings1790000942000,
  CalendarFailures1790000944000,
  Alerts1790000950000,
  EventCounts1790000955000,
  AlertDigests1790000956000,
  WeeklyMails1790000957000,
  ReadUpdates1790000958000,
  TurnsOfChats1790000959000,
  Payers1791000000000,
  BillingAccounts1791000010000,
  Usage1791000020000,
  UsageOfAlerts1791000021000,
  PlanMonthsByMonth1791000022000,
  Analytics1791000030000,
  Questions1791000040000,
  Checkouts1791000011000,
  QuestionDaysByIndex1791000041000,
  Encryption1791100000000,
  SealedConversations1791100001000,
  SealedQueues1791100020000,
  SealedContacts1791100030000,
  SealedKnowledge1791100031000,
  SealedDrafts1791100032000,
  MarkedQuestions1791100033000,
  Archives1791100010000,
  DeletedAgain1791100011000,
  ToldKeyFailures1791100090000,
  SealedByOperator1791210000000,
  DigestsOfRefusedAddresses1791210010000,
  SealedNotesOfDrafts1791210020000,
  SealedArchives1791200000000,
  DeletedAccounts1791200010000,
];

/** How long a statement may run before PostgreSQL ends it. */
const STATEMENT_TIMEOUT_MS = 30_000;
/** How much later the client stops waiting for a server that does not even do that. */
const SILENCE_MARGIN_MS = 5000;
/** How long to wait for a connection, be it one of the pool that others use. */
const CONNECTION_TIMEOUT_MS = 10_000;
/**
 * How long a connection that nobody needs is kept. To make one takes longer than most statements: a process of the server, a
 * password that is slow to prove, and plans of all statements anew.
 */
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Of those who take rows from a queue: the relays, the dispatcher's claims, results and renewals. */
const QUEUE_CONNECTIONS = 8;
/** Of those who read keys, for many at once, while whoever waits for them has a connection already. */
const KEY_CONNECTIONS = 2;
/** A queue that is empty now may hold a million rows while the plan that was made for it lasts. */
const PLANS_BY_INDEX = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_sort',
  'enable_hashjoin',
  'enable_mergejoin',
]
  .map((path) => `-c ${path}=off`)
  .join(' ');

/** Connections whose prepared statements find their rows by index, however many there were when they were planned. */
export function createQueueDataSource({ databaseUrl }: Pick<Settings, 'databaseUrl'>): DataSource {
  const settings = { databaseUrl, databasePool: QUEUE_CONNECTIONS };
  return createDataSource(settings, 'parley-queues', STATEMENT_TIMEOUT_MS, { options: PLANS_BY_INDEX });
}

/** Connections for keys alone: who asks for one in a transaction waits for nobody else's. */
export function createKeyDataSource({ databaseUrl }: Pick<Settings, 'databaseUrl'>): DataSource {
  return createDataSource({ databaseUrl, databasePool: KEY_CONNECTIONS }, 'parley-keys');
}

/**
 * @param statementTimeoutMs 0 for no limit
 * @throws Error when no database is configured.
 */
export function createDataSource(
  settings: Pick<Settings, 'databaseUrl' | 'databasePool'>,
  applicationName = 'parley',
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  extra: object = {},
): DataSource {
  if (!settings.databaseUrl) throw new Error('DATABASE_URL is not set.');
  return new DataSource({
    type: 'postgres',
    url: settings.databaseUrl,
    applicationName,
    entities,
    subscribers: [ContentSubscriber],
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    logging: false,
    poolSize: settings.databasePool,
    extra: {
      statement_timeout: statementTimeoutMs,
      ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + SILENCE_MARGIN_MS }),
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      // A transaction's statements need not wait for each other's answers.
      pipeline: true,
      keepAlive: true,
      ...extra,
    },
  });
}

/** One connection without a time-out, for work that is long or belongs to a connection. */
export async function withSingleConnection<T>(
  { databaseUrl }: Pick<Settings, 'databaseUrl'>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const dataSource = createDataSource({ databaseUrl, databasePool: 1 }, 'parley-single', 0);
  await dataSource.initialize();
  try {
    return await work(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}
