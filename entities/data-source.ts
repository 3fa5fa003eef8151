import type { DataSource } from 'typeorm';
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
import { ConsolePreference } from './accounts/console-preference.entity.ts';
import { Contact } from './contacts/contact.entity.ts';
import { ContentNotice } from './mail/content-notice.entity.ts';
import { Conversation } from './conversations/conversation.entity.ts';
import { ConversationNote } from './conversations/conversation-note.entity.ts';
import { DeviceLogin } from './team/device-login.entity.ts';
import { DeletedConversation } from './conversations/deleted-conversation.entity.ts';
import { Document } from './knowledge/document.entity.ts';
import { EmailPreference } from './mail/email-preference.entity.ts';
import { EmbeddingSet } from './knowledge/embedding-set.entity.ts';
import { EmbeddingTurn } from './knowledge/embedding-turn.entity.ts';
import { DataKeyRow, WorkspaceKey } from './encryption/workspace-key.entity.ts';
import { KeyServiceRow } from './encryption/key-service.entity.ts';
import { OrgEncryption } from './encryption/org-encryption.entity.ts';
import { TableRewrite } from './encryption/table-rewrite.entity.ts';
import { VacuumProbe } from './encryption/vacuum-probe.entity.ts';
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
import { AccessNoticeRow } from './mail/access-notice.entity.ts';
import { AnnouncedReader } from './mail/announced-reader.entity.ts';
import { WeeklyMail } from './mail/weekly-mail.entity.ts';
import { MonthlyUsage } from './bots/monthly-usage.entity.ts';
import { Org } from './team/org.entity.ts';
import { ServedRole } from './installation/served-role.entity.ts';
import { OutboxRow } from './outbox/outbox.entity.ts';
import { QuestionCluster } from './analytics/question-cluster.entity.ts';
import { QuestionDay } from './analytics/question-day.entity.ts';
import { QuestionDelta } from './analytics/question-delta.entity.ts';
import { QuestionMember } from './analytics/question-member.entity.ts';
import { QuestionTerm } from './analytics/question-term.entity.ts';
import { QueuedQuestion } from './analytics/queued-question.entity.ts';
import { RateWindow } from './requests/rate-window.entity.ts';
import { LoggedRequest } from './requests/logged-request.entity.ts';
import { RefusedAddress } from './mail/refused-address.entity.ts';
import { SavedReply } from './conversations/saved-reply.entity.ts';
import { SavedView } from './team/saved-view.entity.ts';
import { TestResult } from './test-sets/test-result.entity.ts';
import { TestRun } from './test-sets/test-run.entity.ts';
import { TestSet } from './test-sets/test-set.entity.ts';
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
import { DataSourceWithSharedMetadata } from '../database/data-source-with-shared-metadata.ts';
import { Database } from '../database/database.ts';
import { Webhook } from './webhooks/webhook.entity.ts';
import { AnswerRating } from './conversations/answer-rating.entity.ts';
import { ConversationFile } from './conversations/conversation-file.entity.ts';
import { Baseline1791400000000 } from './migrations/1791400000000-baseline.ts';
import { DocumentNotices1796042000000 } from './migrations/1796042000000-document-notices.ts';
import { RequestLog1796044000000 } from './migrations/1796044000000-request-log.ts';
import { DocumentEncodings1796045600000 } from './migrations/1796045600000-document-encodings.ts';
import { ExternalDocuments1796046400000 } from './migrations/1796046400000-external-documents.ts';
import { DeviceLogins1796080000000 } from './migrations/1796080000000-device-logins.ts';
import { SavedReplies1796101000000 } from './migrations/1796101000000-saved-replies.ts';
import { ConversationNotes1796102000000 } from './migrations/1796102000000-conversation-notes.ts';
import { SavedViews1796103000000 } from './migrations/1796103000000-saved-views.ts';
import { ConsolePreferences1796104000000 } from './migrations/1796104000000-console-preferences.ts';
import { ReadingAttempts1796106000000 } from './migrations/1796106000000-reading-attempts.ts';
import { TestSets1796107000000 } from './migrations/1796107000000-test-sets.ts';
import { TestQuestionRevisions1796108000000 } from './migrations/1796108000000-test-question-revisions.ts';
import { AnswerRatings1796109000000 } from './migrations/1796109000000-answer-ratings.ts';
import { QuestionDocuments1796110000000 } from './migrations/1796110000000-question-documents.ts';
import { EndingClaims1796112000000 } from './migrations/1796112000000-ending-claims.ts';
import { ErrorSubjects1796114000000 } from './migrations/1796114000000-error-subjects.ts';
import { HandoffAnswers1796116000000 } from './migrations/1796116000000-handoff-answers.ts';
import { ServedRoles1796118000000 } from './migrations/1796118000000-served-roles.ts';
import { ConversationFiles1796120000000 } from './migrations/1796120000000-conversation-files.ts';
import { StoppedAnswers1796122000000 } from './migrations/1796122000000-stopped-answers.ts';

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
  AnswerRating,
  ConversationFile,
  CreditEntry,
  Flow,
  FlowRevision,
  FlowSession,
  Chunk,
  ChunkVector,
  ConsolePreference,
  Contact,
  ContentNotice,
  Conversation,
  ConversationNote,
  DataKeyRow,
  DeletedAccount,
  DeletedConversation,
  DeviceLogin,
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
  TableRewrite,
  VacuumProbe,
  OutboxRow,
  ServedRole,
  QuestionCluster,
  QuestionDay,
  QuestionDelta,
  QuestionMember,
  QuestionTerm,
  QueuedQuestion,
  RateWindow,
  LoggedRequest,
  Receipt,
  RefusedAddress,
  RecoveryCode,
  SavedReply,
  SavedView,
  TestResult,
  TestRun,
  TestSet,
  SearchTerm,
  Session,
  SignInCode,
  TotpSecret,
  User,
  VisitorConsent,
  Webhook,
  AlertDigest,
  AccessNoticeRow,
  AnnouncedReader,
  WeeklyMail,
  WebhookDelivery,
  WorkspaceKey,
];

export const migrations = [
  Baseline1791400000000,
  DocumentNotices1796042000000,
  RequestLog1796044000000,
  DocumentEncodings1796045600000,
  ExternalDocuments1796046400000,
  DeviceLogins1796080000000,
  SavedReplies1796101000000,
  ConversationNotes1796102000000,
  SavedViews1796103000000,
  ConsolePreferences1796104000000,
  ReadingAttempts1796106000000,
  TestSets1796107000000,
  TestQuestionRevisions1796108000000,
  AnswerRatings1796109000000,
  QuestionDocuments1796110000000,
  EndingClaims1796112000000,
  ErrorSubjects1796114000000,
  HandoffAnswers1796116000000,
  ServedRoles1796118000000,
  ConversationFiles1796120000000,
  StoppedAnswers1796122000000,
];

/** Milliseconds after which PostgreSQL cancels a database statement. */
const STATEMENT_TIMEOUT_MS = 30_000;
/**
 * Milliseconds after the statement timeout at which Parley stops waiting, if PostgreSQL has not responded.
 */
const SILENCE_MARGIN_MS = 5000;
/** Milliseconds to wait for a database connection, whether new or from the pool. */
const CONNECTION_TIMEOUT_MS = 10_000;
/**
 * Milliseconds until an idle database connection is closed. A new connection is expensive: PostgreSQL starts
 * a process, checks the password with a slow hash, and plans all statements again.
 */
const IDLE_TIMEOUT_MS = 5 * 60_000;

/** Number of database connections for the consumers of queues: outbox relays and the webhook dispatcher. */
const QUEUE_CONNECTIONS = 8;
/**
 * Number of database connections for reading encryption keys in batches. Their pool is separate, because a
 * caller may hold a connection of the main pool while it waits for a key.
 */
const KEY_CONNECTIONS = 2;
/**
 * Options of a database connection that disable query plans without an index. Queues are often empty when a
 * statement is planned, and may have a million rows while the cached plan is still used.
 */
const INDEX_PLAN_OPTIONS = [
  'enable_seqscan',
  'enable_bitmapscan',
  'enable_sort',
  'enable_hashjoin',
  'enable_mergejoin',
]
  .map((path) => `-c ${path}=off`)
  .join(' ');

/**
 * Creates database connections whose query plans always use indexes, even if a table was empty when the
 * statement was planned.
 */
export function createQueueDataSource({ databaseUrl }: Pick<Settings, 'databaseUrl'>): DataSource {
  const settings = { databaseUrl, databasePool: QUEUE_CONNECTIONS };
  return createDataSource(settings, 'parley-queues', STATEMENT_TIMEOUT_MS, { options: INDEX_PLAN_OPTIONS });
}

/**
 * Creates separate database connections for reading encryption keys, so that a transaction that needs a key
 * never waits for the main pool.
 */
export function createKeyDataSource({ databaseUrl }: Pick<Settings, 'databaseUrl'>): DataSource {
  return createDataSource({ databaseUrl, databasePool: KEY_CONNECTIONS }, 'parley-keys');
}

/**
 * Creates a pool of database connections.
 * @param statementTimeoutMs limit of each statement; 0 for none
 * @throws Error if no database is configured
 */
export function createDataSource(
  settings: Pick<Settings, 'databaseUrl' | 'databasePool'>,
  applicationName = 'parley',
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  extra: object = {},
): DataSource {
  if (!settings.databaseUrl) throw new Error('DATABASE_URL is not set.');
  return new DataSourceWithSharedMetadata({
    type: 'postgres',
    url: settings.databaseUrl,
    applicationName,
    entities,
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
      // Send the statements of a transaction without waiting for the results of earlier statements.
      pipeline: true,
      keepAlive: true,
      ...extra,
    },
  });
}

/**
 * Runs work on a database connection of its own, without a statement timeout. Used for long work, and for
 * session state such as advisory locks.
 */
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
