/** Inputs of the workflows that outbox commands may start. */
export interface WorkflowInputs {
  ingestDocument: IngestDocumentInput;
  crawlSite: CrawlSiteInput;
  refreshDocument: RefreshDocumentInput;
  scheduleRefreshes: ScheduleRefreshesInput;
  purgeBot: PurgeBotInput;
  purgeWebhook: PurgeWebhookInput;
  deleteDocument: DeleteDocumentInput;
  deleteFile: DeleteFileInput;
  embedBot: EmbedBotInput;
  generateBot: GenerateBotInput;
  eraseContact: EraseContactInput;
  webhookDelivery: WebhookDeliveryInput;
  enrichConversation: EnrichConversationInput;
  flowWait: FlowWaitInput;
  sendAccountMail: SendAccountMailInput;
  deleteAccount: DeleteAccountInput;
  sendEmail: SendEmailInput;
  invitation: InvitationInput;
  deleteOrg: DeleteOrgInput;
  mailVisitor: MailVisitorInput;
  notifyLead: NotifyLeadInput;
  notifyHandoff: NotifyHandoffInput;
  notifyWebhookDisabled: NotifyWebhookDisabledInput;
  digestMail: DigestMailInput;
  sendDigest: SendDigestInput;
  sendAlert: SendAlertInput;
  receiveTelegram: ReceiveTelegramInput;
  booking: BookingInput;
  syncCalendar: SyncCalendarInput;
  disconnectCalendar: DisconnectCalendarInput;
  checkout: CheckoutInput;
  syncBilling: SyncBillingInput;
  reseal: ResealInput;
  exportArchive: ArchiveJobInput;
  importArchive: ArchiveJobInput;
  runTestSet: RunTestSetInput;
}

export interface ResealInput {
  orgId: string;
}

export interface SendAlertInput {
  orgId: string;
  policyId: string;
}

/**
 * Empty input of the workflow that receives Telegram updates, because a single workflow receives them for all
 * workspaces.
 */
export type ReceiveTelegramInput = Record<string, never>;

type WorkflowType = keyof WorkflowInputs;

/** The workflow that an outbox command addresses. The summary is shown in Temporal's UI. */
interface Target<W extends WorkflowType> {
  workflow: W;
  workflowId: string;
  args: [WorkflowInputs[W]];
  summary: string;
}

/**
 * An outbox command that starts a workflow. Repeating the command starts no second workflow, because the
 * workflow's id is derived from a row.
 */
export interface StartCommand<W extends WorkflowType> extends Target<W> {
  action: 'start';
  /** Whether the outbox command may start the workflow again after it has ended. */
  isRepeatable?: true;
}

/**
 * An outbox command that signals a workflow, and first starts the workflow if it is not running. The signal
 * may arrive twice.
 */
export interface SignalCommand<W extends WorkflowType> extends Target<W> {
  action: 'signal';
  signal: string;
  signalArgs: string[];
}

/** An outbox command that the relay sends to Temporal. */
export type WorkflowCommand = { [W in WorkflowType]: StartCommand<W> | SignalCommand<W> }[WorkflowType];

export interface IngestDocumentInput {
  orgId: string;
  botId: string;
  documentId: string;
  revision: number;
  /** Whether to skip indexing if the document's fetched content is unchanged. */
  isRefresh?: boolean;
}

export type CrawlSiteInput = IngestDocumentInput;

export interface RefreshDocumentInput {
  orgId: string;
  botId: string;
  documentId: string;
}

export interface ScheduleRefreshesInput {
  orgId: string;
  botId: string;
}

export interface PurgeBotInput {
  orgId: string;
  botId: string;
}

export interface PurgeWebhookInput {
  orgId: string;
  endpointId: string;
}

export interface DeleteDocumentInput {
  orgId: string;
  botId: string;
  documentId: string;
  /** Revision of the document whose ingestion may still be running and is to be canceled. */
  revision: number;
  storageKey: string | null;
}

export interface DeleteFileInput {
  orgId: string;
  botId: string;
  /** Storage key of the file to delete. If the key ends with a slash, all files below it are deleted. */
  storageKey: string;
  /** Storage key of a copy that a crashed conversion of the file may have left; deleted as well. */
  leftover?: string;
}

export interface EmbedBotInput {
  orgId: string;
  botId: string;
  /** Name of the embedding model that computes the vectors of the bot's documents. */
  model: string;
}

export interface GenerateBotInput {
  orgId: string;
  /** Id of the bot generation. Its request and its result are stored only in the database. */
  generationId: string;
  hasWebsite: boolean;
  /** Milliseconds for which the API request waits for the draft of the bot. */
  timeoutMs: number;
}

export interface EraseContactInput {
  orgId: string;
  contactId: string;
}

export interface WebhookDeliveryInput {
  orgId: string;
  endpointId: string;
  deliveryId: string;
  eventName: string;
}

export interface EnrichConversationInput {
  orgId: string;
  botId: string;
  conversationId: string;
}

export interface FlowWaitInput {
  orgId: string;
  botId: string;
  conversationId: string;
  /** Id of one wait of the flow session; each wait has a new id. */
  waitId: string;
  waitMs: number;
}

export interface SendEmailInput {
  /** Id of the email. Its address and text are stored only in the database. */
  mailId: string;
  template: string;
  orgId?: string;
}

export interface InvitationInput {
  orgId: string;
  invitationId: string;
}

export interface DeleteOrgInput {
  orgId: string;
}

export interface NotifyLeadInput {
  orgId: string;
  botId: string;
  contactId: string;
  /** Conversation in which the visitor left contact details. */
  conversationId: string;
}

export interface MailVisitorInput {
  orgId: string;
  botId: string;
  conversationId: string;
  /** Seconds in which the visitor may return to the page before the team's reply is emailed. */
  waitSeconds: number;
}

export interface NotifyHandoffInput {
  orgId: string;
  botId: string;
  conversationId: string;
}

export interface NotifyWebhookDisabledInput {
  orgId: string;
  endpointId: string;
}

export interface SyncCalendarInput {
  orgId: string;
  connectionId: string;
}

export interface DisconnectCalendarInput {
  orgId: string;
  connectionId: string;
}

export interface CheckoutInput {
  orgId: string;
  checkoutId: string;
  /**
   * Time at which the checkout expires. The workflow queries the payment provider at this time, or earlier
   * when an event arrives.
   */
  expiresAt: string;
}

export interface SyncBillingInput {
  /** Workspace that pays for its hierarchy of workspaces. */
  orgId: string;
}

export interface ArchiveJobInput {
  orgId: string;
  jobId: string;
  /** Seconds for which each step of the export or import is retried while storage or a key is unavailable. */
  patienceSeconds: number;
}

export interface RunTestSetInput {
  orgId: string;
  botId: string;
  /** Id of the test run. Its questions and results are stored only in the database. */
  runId: string;
}

export interface BookingInput {
  orgId: string;
  bookingId: string;
}

export interface SendDigestInput {
  orgId: string;
  policyId: string;
  /** Date of the alert digest in the policy's time zone. */
  date: string;
}

export interface DigestMailInput {
  userId: string;
  /** Monday after the week on which the weekly email reports. */
  week: string;
}

export interface SendAccountMailInput {
  requestId: string;
}

export interface DeleteAccountInput {
  userId: string;
}

export const ingestWorkflowId = (documentId: string, revision: number) => `ingest/${documentId}/${revision}`;
export const crawlWorkflowId = (documentId: string, revision: number) => `crawl/${documentId}/${revision}`;
/** Id of the schedule that refreshes a document, and prefix of its workflows' ids. */
export const refreshWorkflowId = (documentId: string) => `refresh/${documentId}`;
export const scheduleRefreshesWorkflowId = (botId: string) => `schedule-refreshes/${botId}`;
export const deleteDocumentWorkflowId = (documentId: string) => `delete-document/${documentId}`;
export const deleteFileWorkflowId = (ownerId: string) => `delete-file/${ownerId}`;
export const embedBotWorkflowId = (botId: string) => `embed-bot/${botId}`;
export const generateBotWorkflowId = (generationId: string) => `generate-bot/${generationId}`;
export const eraseContactWorkflowId = (contactId: string) => `erase-contact/${contactId}`;
export const deleteOrgWorkflowId = (orgId: string) => `delete-org/${orgId}`;
export const invitationWorkflowId = (invitationId: string) => `invitation/${invitationId}`;
export const purgeBotWorkflowId = (botId: string) => `purge-bot/${botId}`;
export const purgeWebhookWorkflowId = (endpointId: string) => `purge-webhook/${endpointId}`;
export const webhookDeliveryWorkflowId = (deliveryId: string) => `webhook-delivery/${deliveryId}`;
/** Identifies one workflow for each end of a conversation, since conversations can be reopened. */
export const enrichWorkflowId = (conversationId: string, endedAt: Date) =>
  `enrich/${conversationId}/${endedAt.getTime()}`;
/** Identifies one workflow for each wait of a flow that has a time limit. */
export const flowWaitWorkflowId = (conversationId: string, waitId: string) =>
  `flow-wait/${conversationId}/${waitId}`;
/** Identifies one workflow for each conversation in which a contact leaves contact details. */
export const notifyLeadWorkflowId = (contactId: string, conversationId: string) =>
  `notify-lead/${contactId}/${conversationId}`;
/** Identifies one workflow for each message of the team that is emailed to the visitor. */
export const mailVisitorWorkflowId = (messageId: string) => `mail-visitor/${messageId}`;
/** Identifies one workflow for each request for an agent. */
export const notifyHandoffWorkflowId = (conversationId: string, requestId: string) =>
  `notify-handoff/${conversationId}/${requestId}`;
/** Identifies one workflow each time a webhook endpoint is disabled. */
export const notifyWebhookDisabledWorkflowId = (endpointId: string, at: Date) =>
  `notify-webhook-disabled/${endpointId}/${Math.floor(at.getTime() / 1000)}`;
export const checkoutWorkflowId = (checkoutId: string) => `checkout/${checkoutId}`;
export const resealWorkflowId = (orgId: string) => `reseal/${orgId}`;
export const syncBillingWorkflowId = (payerId: string) => `billing/${payerId}`;
/** Id of the workflow of an export or import of conversations. */
export const archiveWorkflowId = (jobId: string) => `archive/${jobId}`;
export const testRunWorkflowId = (runId: string) => `test-run/${runId}`;
export const bookingWorkflowId = (bookingId: string) => `booking/${bookingId}`;
/** Identifies one workflow for each day on which an alert policy has a digest to send. */
export const digestWorkflowId = (policyId: string, date: string) => `digest/${policyId}/${date}`;
export const digestMailWorkflowId = (userId: string, week: string) => `digest-mail/${userId}/${week}`;
export const emailWorkflowId = (mailId: string) => `email/${mailId}`;
export const extractFieldsWorkflowId = (conversationId: string) => `extract-fields/${conversationId}`;
export const accountMailWorkflowId = (requestId: string) => `account-mail/${requestId}`;
export const deleteAccountWorkflowId = (userId: string) => `delete-account/${userId}`;
/** Identifies the single workflow of an alert policy, which runs while the policy has alerts to send. */
export const alertWorkflowId = (policyId: string) => `alert/${policyId}`;
/**
 * Identifies the single workflow that receives the updates of a Telegram bot, because Telegram allows a
 * single reader of updates.
 * @param account digest that identifies the bot, since installations may share a Temporal namespace
 */
export const telegramUpdatesId = (account: string): string => `telegram-updates/${account.slice(0, 16)}`;
export const syncCalendarWorkflowId = (connectionId: string) => `calendar-sync/${connectionId}`;
export const disconnectCalendarWorkflowId = (connectionId: string) => `disconnect-calendar/${connectionId}`;
