import type { Static } from '@sinclair/typebox';
import type {
  AnswerDraft as AnswerDraftSchema,
  AnswerTrial as AnswerTrialSchema,
} from '../../api/knowledge/answer-drafts.schemas.ts';
import type { AnalyticsOverviewRead } from '../../api/analytics/analytics.schemas.ts';
import type { ConversationDetail as ConversationDetailSchema } from '../../api/conversations/conversations.schemas.ts';
import type { BookingSlot } from '../../api/bookings/bookings.schemas.ts';
import type {
  AlertConnectionState,
  AlertConnectResponse,
  AlertEstimate as AlertEstimateSchema,
  AlertTestResponse,
  AlertVerificationStarted,
} from '../../api/alerts/alerts.schemas.ts';
import type { EmbedSnippetRead, ModelDescriptor, ProviderTestResponse } from '../../api/bots/bots.schemas.ts';
import type { BotGenerateResponse } from '../../api/bots/generate.schemas.ts';
import type { PlaygroundReply } from '../../api/bots/playground.schemas.ts';
import type { CitationRead } from '../../api/conversations/messages.schemas.ts';
import type {
  RotateSecretResponse,
  WebhookCreated as WebhookCreatedSchema,
} from '../../api/webhooks/webhooks.schemas.ts';
import type { SignInResponse } from '../../api/accounts/auth.schemas.ts';
import type { EmailPreferences as EmailPreferencesSchema } from '../../api/mail/email-preferences.schemas.ts';
import type { Message as MessageSchema } from '../../api/http/schemas/schemas.ts';
import type { FlowTestResponse } from '../../api/flows/flow-tests.schemas.ts';
import type { KeyServiceRead } from '../../api/team/key-service.schemas.ts';
import type { MetaRead } from '../../api/installation/meta.schemas.ts';
import type { DocumentPage as DocumentPageSchema } from '../../api/knowledge/knowledge.schemas.ts';
import type { KnowledgeSearchResponse } from '../../api/knowledge/search.schemas.ts';
import type { Page as PageOfRows } from '../../database/page.ts';

// Types of the API's requests and responses, derived from its schemas.
export type {
  MeRead as Me,
  SessionRead as SignedInDevice,
  MfaChallengeResponse as Challenge,
  TokenResponse as Tokens,
} from '../../api/accounts/auth.schemas.ts';
export type { FirstRunRead as FirstRun, FirstRunRequest } from '../../api/accounts/first-run.schemas.ts';
export type {
  IdentityRead as Identity,
  IdentityStartResponse as IdentityStart,
} from '../../api/accounts/identities.schemas.ts';
export type {
  MfaCodesResponse as RecoveryCodes,
  MfaSetupResponse as FactorSetup,
  MfaStatus as FactorStatus,
} from '../../api/accounts/mfa.schemas.ts';
export type { DeviceLoginRead as DeviceLogin } from '../../api/team/device-logins.schemas.ts';
export type {
  ConsolePreferencesRead as ConsolePreferences,
  ConsolePreferencesUpdate as ConsolePreferencesChange,
} from '../../api/accounts/console-preferences.schemas.ts';
export type { OperatorLinks } from '../../api/installation/operator-links.schemas.ts';
export type { ApiKeyCreated, ApiKeyRead as ApiKey } from '../../api/team/api-keys.schemas.ts';
export type {
  AnswerRatingRead as AnswerRating,
  AnswerRatingSummary,
} from '../../api/conversations/answer-ratings.schemas.ts';
export type { ConversationFileRead as ConversationFile } from '../../api/conversations/files.schemas.ts';
export type AnswerDraft = Static<typeof AnswerDraftSchema>;
export type AnswerTrial = Static<typeof AnswerTrialSchema>;
export type { QuestionCluster } from '../../api/analytics/questions.schemas.ts';
export type { Scope } from '../../api/http/access/scopes.ts';
export type {
  InvitationPreview,
  InvitationRead as Invitation,
  MemberRead as Member,
} from '../../api/team/members.schemas.ts';
export type {
  AuditEventRead as AuditEvent,
  HierarchyNode,
  OrgRead as Org,
} from '../../api/team/orgs.schemas.ts';
export type {
  BillingProfileIn as BillingProfileChange,
  BillingProfileRead as BillingProfile,
  CheckoutResponse as Checkout,
  PlanRead as Plan,
  ReceiptRead as Receipt,
  SubscriptionRead as Subscription,
} from '../../api/billing/billing.schemas.ts';
export type { ArchiveJobRead as ArchiveJob } from '../../api/archive/archive.schemas.ts';
export type { EncryptionState as Encryption } from '../../api/encryption/encryption.schemas.ts';
export type { KeyServiceUpdate as KeyServiceChange } from '../../api/team/key-service.schemas.ts';
export type { UsageDay, UsageSummary } from '../../api/usage/usage.schemas.ts';
export type {
  BookingRead as Booking,
  BookRequest as BookingRequest,
} from '../../api/bookings/bookings.schemas.ts';
export type {
  CalendarConnectionRead as CalendarConnection,
  CalendarDescriptor,
  ConnectionSettings,
  ConnectResponse,
} from '../../api/bookings/calendar.schemas.ts';
export type {
  AlertPolicyRead as AlertPolicy,
  PolicyRequest as AlertRequest,
} from '../../api/alerts/alerts.schemas.ts';
export type { AlertEvent } from '../../services/alerts/alert-events.ts';
export type { BotRead as Bot, BotUpdate } from '../../api/bots/bots.schemas.ts';
export type { BotGenerateRequest } from '../../api/bots/generate.schemas.ts';
export type { BotVersionRead as BotVersion } from '../../api/bots/versions.schemas.ts';
export type { FlowRead as Flow } from '../../api/flows/flows.schemas.ts';
export type { ContactRead as Contact } from '../../api/contacts/contacts.schemas.ts';
export type {
  BulkResponse,
  ConversationRead as Conversation,
} from '../../api/conversations/conversations.schemas.ts';
export type { MessageRead as Message } from '../../api/conversations/messages.schemas.ts';
export type { ConversationNoteRead as ConversationNote } from '../../api/conversations/notes.schemas.ts';
export type {
  TestQuestion,
  TestResult,
  TestResultRead as TestResultRow,
  TestRunRead as TestRun,
  TestQuestionDrafts,
  TestSetRead as TestSet,
  TestSetSummary,
} from '../../api/test-sets/test-sets.schemas.ts';
export type { SavedReplyRead as SavedReply } from '../../api/conversations/saved-replies.schemas.ts';
export type { SavedViewRead as SavedView } from '../../api/team/saved-views.schemas.ts';
export type { InboxItem } from '../../api/conversations/inbox.schemas.ts';
export type { Problem } from '../../api/http/problems/problem.ts';
export type {
  DocumentDownload,
  DocumentRead as KnowledgeDocument,
  DocumentStatusRead as DocumentStatus,
} from '../../api/knowledge/knowledge.schemas.ts';
export type { KnowledgeSearchHit } from '../../api/knowledge/search.schemas.ts';
export type { LoggedRequestRead as LoggedRequest } from '../../api/requests/request-log.schemas.ts';
export type { ToolInvocationResponse as ToolInvocation } from '../../api/mcp/tool-invocations.schemas.ts';
export type {
  EventDescriptor,
  WebhookDeliveryResponse as Delivery,
  WebhookResponse as Webhook,
  WebhookTestResponse as WebhookTest,
} from '../../api/webhooks/webhooks.schemas.ts';

export type Page<T> = PageOfRows<T>;
export type AnalyticsOverview = Static<typeof AnalyticsOverviewRead>;
export type AlertCodeSent = Static<typeof AlertVerificationStarted>;
export type AlertConnection = Static<typeof AlertConnectionState>;
export type AlertEstimate = Static<typeof AlertEstimateSchema>;
export type AlertLink = Static<typeof AlertConnectResponse>;
export type AlertTest = Static<typeof AlertTestResponse>;
export type DocumentPage = Static<typeof DocumentPageSchema>;
export type GeneratedBot = Static<typeof BotGenerateResponse>;
export type Citation = Static<typeof CitationRead>;
export type ConversationDetail = Static<typeof ConversationDetailSchema>;
export type EmailPreferences = Static<typeof EmailPreferencesSchema>;
export type EmbedSnippet = Static<typeof EmbedSnippetRead>;
export type FlowTrial = Static<typeof FlowTestResponse>;
export type KeyService = Static<typeof KeyServiceRead>;
export type KnowledgeSearch = Static<typeof KnowledgeSearchResponse>;
export type Confirmation = Static<typeof MessageSchema>;
export type Meta = Static<typeof MetaRead>;
export type Model = Static<typeof ModelDescriptor>;
export type PlaygroundResult = Static<typeof PlaygroundReply>;
export type ProviderTestResult = Static<typeof ProviderTestResponse>;
export type RotatedSecret = Static<typeof RotateSecretResponse>;
export type SignInResult = Static<typeof SignInResponse>;
export type Slot = Static<typeof BookingSlot>;
export type WebhookCreated = Static<typeof WebhookCreatedSchema>;
