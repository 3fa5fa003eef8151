/** Inputs of the workflows that the outbox may start. */
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
}

export interface ResealInput {
  orgId: string;
}

export interface SendAlertInput {
  orgId: string;
  policyId: string;
}

/** Empty: a single workflow reads for all workspaces. */
export type ReceiveTelegramInput = Record<string, never>;

type WorkflowType = keyof WorkflowInputs;

/** Workflow to start; the summary is shown in Temporal's UI. */
interface Target<W extends WorkflowType> {
  workflow: W;
  workflowId: string;
  args: [WorkflowInputs[W]];
  summary: string;
}

/** Idempotent by the workflow's id, which is derived from its row. */
export interface StartCommand<W extends WorkflowType> extends Target<W> {
  action: 'start';
  /** The workflow may run again after it has ended; otherwise a repeated command does its work once. */
  isRepeatable?: true;
}

/** Signals the workflow, which is started if it does not run. The signal may arrive twice. */
export interface SignalCommand<W extends WorkflowType> extends Target<W> {
  action: 'signal';
  signal: string;
  signalArgs: string[];
}

/** Commands of the outbox to Temporal. */
export type WorkflowCommand = { [W in WorkflowType]: StartCommand<W> | SignalCommand<W> }[WorkflowType];

export interface IngestDocumentInput {
  orgId: string;
  botId: string;
  documentId: string;
  revision: number;
  /** Skips re-indexing if the content is unchanged. */
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
  /** The revision whose ingestion may still run and is cancelled. */
  revision: number;
  storageKey: string | null;
}

export interface DeleteFileInput {
  orgId: string;
  botId: string;
  storageKey: string;
  /** A second storage key to delete: that of a copy which a crashed conversion may have left. */
  leftover?: string;
}

export interface EmbedBotInput {
  orgId: string;
  botId: string;
  /** The embedding model of the vectors. */
  model: string;
}

export interface GenerateBotInput {
  orgId: string;
  /** Request and result are only in the database. */
  generationId: string;
  hasWebsite: boolean;
  /** Time that the caller waits. */
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
  /** Id of the session's wait; each wait has a new one. */
  waitId: string;
  waitMs: number;
}

export interface SendEmailInput {
  /** Address and text are only in the database. */
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
  /** The conversation with the lead's details. */
  conversationId: string;
}

export interface MailVisitorInput {
  orgId: string;
  botId: string;
  conversationId: string;
  /** Time that the visitor has to return. */
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
  /** Expiry of the checkout; the provider is only queried earlier after an event. */
  expiresAt: string;
}

export interface SyncBillingInput {
  /** Workspace of the payer. */
  orgId: string;
}

export interface ArchiveJobInput {
  orgId: string;
  jobId: string;
  /** Time that each step waits for its dependencies. */
  patienceSeconds: number;
}

export interface BookingInput {
  orgId: string;
  bookingId: string;
}

export interface SendDigestInput {
  orgId: string;
  policyId: string;
  /** Date in the policy's time zone. */
  date: string;
}

export interface DigestMailInput {
  userId: string;
  /** The Monday after the week. */
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
/** Id of the schedule, and of the workflows it starts. */
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
/** Identifies the workflow per end of a conversation. */
export const enrichWorkflowId = (conversationId: string, endedAt: Date) =>
  `enrich/${conversationId}/${endedAt.getTime()}`;
/** Identifies the workflow per wait with a time limit. */
export const flowWaitWorkflowId = (conversationId: string, waitId: string) =>
  `flow-wait/${conversationId}/${waitId}`;
/** Identifies the workflow per conversation in which a contact leaves details. */
export const notifyLeadWorkflowId = (contactId: string, conversationId: string) =>
  `notify-lead/${contactId}/${conversationId}`;
/** Identifies the workflow per message of the team. */
export const mailVisitorWorkflowId = (messageId: string) => `mail-visitor/${messageId}`;
/** Identifies the workflow per request for a person. */
export const notifyHandoffWorkflowId = (conversationId: string, requestId: string) =>
  `notify-handoff/${conversationId}/${requestId}`;
/** Identifies the workflow per time that an endpoint is disabled. */
export const notifyWebhookDisabledWorkflowId = (endpointId: string, at: Date) =>
  `notify-webhook-disabled/${endpointId}/${Math.floor(at.getTime() / 1000)}`;
export const checkoutWorkflowId = (checkoutId: string) => `checkout/${checkoutId}`;
export const resealWorkflowId = (orgId: string) => `reseal/${orgId}`;
export const syncBillingWorkflowId = (payerId: string) => `billing/${payerId}`;
/** Id for an export or an import. */
export const archiveWorkflowId = (jobId: string) => `archive/${jobId}`;
export const bookingWorkflowId = (bookingId: string) => `booking/${bookingId}`;
/** Identifies the workflow per day on which a policy has a digest to send. */
export const digestWorkflowId = (policyId: string, date: string) => `digest/${policyId}/${date}`;
export const digestMailWorkflowId = (userId: string, week: string) => `digest-mail/${userId}/${week}`;
export const emailWorkflowId = (mailId: string) => `email/${mailId}`;
export const extractFieldsWorkflowId = (conversationId: string) => `extract-fields/${conversationId}`;
export const accountMailWorkflowId = (requestId: string) => `account-mail/${requestId}`;
export const deleteAccountWorkflowId = (userId: string) => `delete-account/${userId}`;
/** Identifies the workflow per policy, while it has alerts to send. */
export const alertWorkflowId = (policyId: string) => `alert/${policyId}`;
/** Constant, since Telegram allows a single reader. */
/** @param account identifies the bot: installations may share a namespace */
export const telegramUpdatesId = (account: string): string => `telegram-updates/${account.slice(0, 16)}`;
export const syncCalendarWorkflowId = (connectionId: string) => `calendar-sync/${connectionId}`;
export const disconnectCalendarWorkflowId = (connectionId: string) => `disconnect-calendar/${connectionId}`;
