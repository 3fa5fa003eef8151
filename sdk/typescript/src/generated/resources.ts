// Made by `npm run generate` from the operations of the API. Change those instead.

import type { ApiPromise } from '../api-promise.ts';
import type { Caller } from '../caller.ts';
import type { EventStream } from '../event-stream.ts';
import type { CallOptions } from '../options.ts';
import type { ListPage, Page, PagePromise } from '../pages.ts';
import type { Upload } from '../uploads.ts';
import type {
  AcceptInvitationRequest,
  AccountDeleteRequest,
  AlertConnectResponse,
  AlertConnectionState,
  AlertEstimate,
  AlertPolicyRead,
  AlertPollRequest,
  AlertTestResponse,
  AlertVerificationStarted,
  AlertVerifyRequest,
  AnalyticsOverview,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyRead,
  ApiKeyRotate,
  ApiVersionRead,
  ArchiveExportRequest,
  ArchiveJobRead,
  AuditEventRead,
  BillingProfileIn,
  BillingProfileRead,
  BookRequest,
  BookingRead,
  BookingSlot,
  BotCreate,
  BotDuplicateRequest,
  BotGenerateRequest,
  BotGenerateResponse,
  BotRead,
  BotUpdate,
  BotVersionCreate,
  BotVersionRead,
  BulkConversationUpdate,
  BulkResponse,
  CalendarConnectionRead,
  CalendarDescriptor,
  ChangePasswordRequest,
  CheckoutRequest,
  CheckoutResponse,
  ConnectResponse,
  ConnectionSettings,
  ConsentSubmission,
  ContactRead,
  ContactUpdate,
  ConversationDetail,
  ConversationRead,
  DirectoryConfig,
  DirectoryResolveRequest,
  DirectoryResolveResponse,
  DocumentCreate,
  DocumentDownload,
  DocumentRead,
  DocumentStatusRead,
  DocumentUpdate,
  EmailOnlyRequest,
  EmailPreferences,
  EmailPreferencesUpdate,
  EmailVerifyRequest,
  EmbedSnippetRead,
  EncryptionState,
  EncryptionUpdate,
  ErrorPage,
  EventDescriptor,
  EventsUpdate,
  FlowRead,
  FlowSave,
  FlowTestRequest,
  FlowTestResponse,
  HandoffRequest,
  HealthRead,
  HierarchyNode,
  IdentityCallbackRequest,
  IdentityRead,
  IdentityStartResponse,
  InboxAssignRequest,
  InboxItem,
  InboxReplyRequest,
  InvitationCreate,
  InvitationPreview,
  InvitationRead,
  KnowledgeSearchRequest,
  KnowledgeSearchResponse,
  LeadSubmission,
  LoginRequest,
  MeRead,
  MeUpdate,
  MemberRead,
  MemberRoleUpdate,
  Message,
  MessageRead,
  MetaRead,
  MfaActivateRequest,
  MfaChallengeResponse,
  MfaCodesResponse,
  MfaDisableRequest,
  MfaSetupResponse,
  MfaStatus,
  MfaVerifyRequest,
  ModelDescriptor,
  OrgCreate,
  OrgRead,
  OrgUpdate,
  OtpVerifyRequest,
  OwnershipTransfer,
  PlanRead,
  PlaygroundReply,
  PlaygroundRequest,
  PolicyRequest,
  ProviderTestResponse,
  QuestionCluster,
  RatingSubmission,
  ReceiptRead,
  RefreshRequest,
  RegisterRequest,
  ResetPasswordRequest,
  RotateSecretResponse,
  SessionRead,
  SubscriptionRead,
  SwitchOrgRequest,
  TokenResponse,
  ToolInvocationResponse,
  UsageDay,
  UsageSummary,
  VisitorMessageRead,
  WebhookCreate,
  WebhookCreated,
  WebhookDeliveryResponse,
  WebhookResponse,
  WebhookTestResponse,
  WebhookUpdate,
  WidgetConfig,
  WidgetMessageCreate,
  WidgetSession,
  WidgetSessionCreate,
  WidgetSessionCreated,
  PlaygroundEvent,
  InboxEvent,
  WidgetEvent,
} from './models.ts';
import * as operations from './operations.ts';

/** User accounts: signing in and its methods. */
export class AuthResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Your active sessions, the most recently used first.
   *
   * Needs an access token.
   *
   * `GET /api/auth/sessions` (listSessions)
   */
  listSessions(options?: CallOptions): ApiPromise<Array<SessionRead>> {
    return this.#caller.json<Array<SessionRead>>(operations.listSessions, {}, options);
  }

  /**
   * Sign in with a password; answers with tokens, or a challenge when a second factor is on.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/login` (login)
   */
  login(body: LoginRequest, options?: CallOptions): ApiPromise<TokenResponse | MfaChallengeResponse> {
    return this.#caller.json<TokenResponse | MfaChallengeResponse>(operations.login, { json: body }, options);
  }

  /**
   * End this session and its refresh tokens.
   *
   * Needs an access token.
   *
   * `POST /api/auth/logout` (logout)
   */
  logout(options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.logout, {}, options);
  }

  /**
   * Spend a refresh token for the next pair of tokens; one that was spent before ends its session.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/refresh` (refreshToken)
   */
  refreshToken(body: RefreshRequest, options?: CallOptions): ApiPromise<TokenResponse> {
    return this.#caller.json<TokenResponse>(operations.refreshToken, { json: body }, options);
  }

  /**
   * Mail a six-digit code to sign in with, good once and for a while (10 minutes unless set otherwise); the same
   * answer for any address.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/otp/request` (requestOtp)
   */
  requestOtp(body: EmailOnlyRequest, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.requestOtp, { json: body }, options);
  }

  /**
   * End all your sessions but this one.
   *
   * Needs an access token.
   *
   * `POST /api/auth/sessions/revoke-others` (revokeOtherSessions)
   */
  revokeOtherSessions(options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.revokeOtherSessions, {}, options);
  }

  /**
   * End one of your sessions.
   *
   * Needs an access token.
   *
   * `DELETE /api/auth/sessions/{session_id}` (revokeSession)
   */
  revokeSession(sessionId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.revokeSession, { path: [sessionId] }, options);
  }

  /**
   * Switch to another workspace, with the refresh token or within minutes of signing in; tokens for the previous
   * workspace stay valid.
   *
   * Needs an access token. A signed-in caller must have signed in within the last ten minutes, unless the body has
   * the refresh token.
   *
   * `POST /api/auth/switch-org` (switchOrg)
   */
  switchOrg(body: SwitchOrgRequest, options?: CallOptions): ApiPromise<TokenResponse> {
    return this.#caller.json<TokenResponse>(operations.switchOrg, { json: body }, options);
  }

  /**
   * Sign in with the mailed code, which five wrong tries void; a second factor is still asked for.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/otp/verify` (verifyOtp)
   */
  verifyOtp(body: OtpVerifyRequest, options?: CallOptions): ApiPromise<TokenResponse | MfaChallengeResponse> {
    return this.#caller.json<TokenResponse | MfaChallengeResponse>(operations.verifyOtp, { json: body }, options);
  }

  /**
   * Change your password; all other sessions end.
   *
   * Needs an access token.
   *
   * `POST /api/auth/password/change` (changePassword)
   */
  changePassword(body: ChangePasswordRequest, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.changePassword, { json: body }, options);
  }

  /**
   * Delete your account; all its sessions and API keys stop working immediately.
   *
   * Needs an access token. A signed-in caller must have signed in within the last ten minutes, unless the body
   * proves who owns the account.
   *
   * `POST /api/auth/me/delete` (deleteMe)
   */
  deleteMe(body: AccountDeleteRequest = {}, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteMe, { json: body }, options);
  }

  /**
   * Mail a link, good once and for a while (half an hour unless set otherwise), to set a new password; the same
   * answer for any address.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/password/forgot` (forgotPassword)
   */
  forgotPassword(body: EmailOnlyRequest, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.forgotPassword, { json: body }, options);
  }

  /**
   * The caller: the person, the workspace and the role there, and the API key with its scopes.
   *
   * Needs an API key or an access token.
   *
   * `GET /api/auth/me` (getMe)
   */
  getMe(options?: CallOptions): ApiPromise<MeRead> {
    return this.#caller.json<MeRead>(operations.getMe, {}, options);
  }

  /**
   * Change your name, your picture or where you begin to work; only the keys present are applied.
   *
   * Needs an access token.
   *
   * `PATCH /api/auth/me` (updateMe)
   */
  updateMe(body: MeUpdate = {}, options?: CallOptions): ApiPromise<MeRead> {
    return this.#caller.json<MeRead>(operations.updateMe, { json: body }, options);
  }

  /**
   * Register an account and its first workspace; sign-in requires confirmation by mail. The response is the same
   * if the address is taken.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/register` (register)
   */
  register(body: RegisterRequest, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.register, { json: body }, options);
  }

  /**
   * Mail the link that verifies an address again; the same answer for any address.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/email/resend` (resendVerification)
   */
  resendVerification(body: EmailOnlyRequest, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.resendVerification, { json: body }, options);
  }

  /**
   * Set a new password with the link’s token. Ends all sessions; ends API keys and linked identities on request;
   * two-factor authentication stays on. The response lists the remaining credentials.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/password/reset` (resetPassword)
   */
  resetPassword(body: ResetPasswordRequest, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.resetPassword, { json: body }, options);
  }

  /**
   * Show with the mailed token that the address is yours; without the password of the registration the account
   * starts afresh.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/email/verify` (verifyEmail)
   */
  verifyEmail(body: EmailVerifyRequest, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.verifyEmail, { json: body }, options);
  }

  /**
   * Turn the second factor on with a code of the app; all other sessions end.
   *
   * Needs an access token. The workspace’s owners are notified by mail.
   *
   * `POST /api/auth/mfa/activate` (activateMfa)
   */
  activateMfa(body: MfaActivateRequest, options?: CallOptions): ApiPromise<MfaCodesResponse> {
    return this.#caller.json<MfaCodesResponse>(operations.activateMfa, { json: body }, options);
  }

  /**
   * Turn the second factor off with the password (or a fresh sign-in if there is none) and a code; all other
   * sessions end.
   *
   * Needs an access token. A signed-in caller must have signed in within the last ten minutes, unless the body
   * proves who owns the account. The workspace’s owners are notified by mail.
   *
   * `POST /api/auth/mfa/disable` (disableMfa)
   */
  disableMfa(body: MfaDisableRequest, options?: CallOptions): ApiPromise<MfaStatus> {
    return this.#caller.json<MfaStatus>(operations.disableMfa, { json: body }, options);
  }

  /**
   * Whether the second factor is on or being set up, and the number of unused recovery codes.
   *
   * Needs an access token.
   *
   * `GET /api/auth/mfa` (getMfaStatus)
   */
  getMfaStatus(options?: CallOptions): ApiPromise<MfaStatus> {
    return this.#caller.json<MfaStatus>(operations.getMfaStatus, {}, options);
  }

  /**
   * Replace all recovery codes, with a code of the app.
   *
   * Needs an access token. A signed-in caller must have signed in within the last ten minutes. The workspace’s
   * owners are notified by mail.
   *
   * `POST /api/auth/mfa/recovery-codes` (regenerateRecoveryCodes)
   */
  regenerateRecoveryCodes(body: MfaActivateRequest, options?: CallOptions): ApiPromise<MfaCodesResponse> {
    return this.#caller.json<MfaCodesResponse>(operations.regenerateRecoveryCodes, { json: body }, options);
  }

  /**
   * Begin to set up an authenticator app; its secret is shown once, and replaces one that is pending.
   *
   * Needs an access token. A signed-in caller must have signed in within the last ten minutes.
   *
   * `POST /api/auth/mfa/setup` (setupMfa)
   */
  setupMfa(options?: CallOptions): ApiPromise<MfaSetupResponse> {
    return this.#caller.json<MfaSetupResponse>(operations.setupMfa, {}, options);
  }

  /**
   * Finish signing in with a code of the app or a recovery code; each is good once.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/mfa/verify` (verifyMfa)
   */
  verifyMfa(body: MfaVerifyRequest, options?: CallOptions): ApiPromise<TokenResponse> {
    return this.#caller.json<TokenResponse>(operations.verifyMfa, { json: body }, options);
  }

  /**
   * Sign in to the account that the identity is linked to, or make one; an e-mail address alone never links them.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/identities/{provider}/callback` (finishIdentity)
   */
  finishIdentity(provider: string, body: IdentityCallbackRequest, options?: CallOptions): ApiPromise<TokenResponse | MfaChallengeResponse> {
    return this.#caller.json<TokenResponse | MfaChallengeResponse>(operations.finishIdentity, { path: [provider], json: body }, options);
  }

  /**
   * Link an identity provider to your account.
   *
   * Needs an access token. A signed-in caller must have signed in within the last ten minutes. The workspace’s
   * owners are notified by mail.
   *
   * `POST /api/auth/identities/{provider}/link` (linkIdentity)
   */
  linkIdentity(provider: string, body: IdentityCallbackRequest, options?: CallOptions): ApiPromise<IdentityRead> {
    return this.#caller.json<IdentityRead>(operations.linkIdentity, { path: [provider], json: body }, options);
  }

  /**
   * Identity providers that are linked to your account.
   *
   * Needs an access token.
   *
   * `GET /api/auth/identities` (listIdentities)
   */
  listIdentities(options?: CallOptions): ApiPromise<Array<IdentityRead>> {
    return this.#caller.json<Array<IdentityRead>>(operations.listIdentities, {}, options);
  }

  /**
   * Begin to sign in with an identity provider, or to link one.
   *
   * Needs no credentials.
   *
   * `POST /api/auth/identities/{provider}/start` (startIdentity)
   */
  startIdentity(provider: string, options?: CallOptions): ApiPromise<IdentityStartResponse> {
    return this.#caller.json<IdentityStartResponse>(operations.startIdentity, { path: [provider] }, options);
  }

  /**
   * Disconnect an identity provider, unless it is the only way into your account.
   *
   * Needs an access token. A signed-in caller must have signed in within the last ten minutes. The workspace’s
   * owners are notified by mail.
   *
   * `DELETE /api/auth/identities/{provider}` (unlinkIdentity)
   */
  unlinkIdentity(provider: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.unlinkIdentity, { path: [provider] }, options);
  }
}

export interface BotsListQuery {
  /** Number of the page, from 1; not together with cursor. */
  page?: number | undefined;
  /** Rows of a page. */
  page_size?: number | undefined;
  /** next_cursor of the page before, with the same filters; page_size may change. */
  cursor?: string | undefined;
  /** draft → active ↔ paused; any → archived → draft. */
  status?: 'draft' | 'active' | 'paused' | 'archived' | undefined;
  /** Part of the name. */
  q?: string | undefined;
}

/** Assistants and their configuration. */
export class BotsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Create a draft bot with a fresh public_key.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `POST /api/bots` (createBot)
   */
  create(body: BotCreate, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.createBot, { json: body }, options);
  }

  /**
   * A page of the workspace’s bots, newest first.
   *
   * Needs an API key with the scope `bots:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/bots` (listBots)
   */
  list(query: BotsListQuery = {}, options?: CallOptions): PagePromise<BotRead, Page<BotRead>> {
    return this.#caller.pages<BotRead>(operations.listBots, { query }, options);
  }

  /**
   * Delete a bot: it is hidden immediately; its documents and conversations are removed in the background.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role admin or above, or the access
   * token of a person with that role.
   *
   * `DELETE /api/bots/{bot_id}` (deleteBot)
   */
  delete(botId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteBot, { path: [botId] }, options);
  }

  /**
   * Return a bot.
   *
   * Needs an API key with the scope `bots:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/bots/{bot_id}` (getBot)
   */
  get(botId: string, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.getBot, { path: [botId] }, options);
  }

  /**
   * Change a bot; only the keys present are applied.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `PATCH /api/bots/{bot_id}` (updateBot)
   */
  update(botId: string, body: BotUpdate = {}, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.updateBot, { path: [botId], json: body }, options);
  }

  /**
   * The embed snippet for the widget, its allowed domains, and the secret that signs visitors’ identities.
   *
   * Needs an API key with the scope `bots:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/embed` (getBotEmbed)
   */
  getEmbed(botId: string, options?: CallOptions): ApiPromise<EmbedSnippetRead> {
    return this.#caller.json<EmbedSnippetRead>(operations.getBotEmbed, { path: [botId] }, options);
  }

  /**
   * Draft a bot from a description and a website, and create it. Without a model, or where it is late, rules draft
   * it.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role.
   *
   * `POST /api/bots/generate` (generateBot)
   */
  generate(body: BotGenerateRequest, options?: CallOptions): ApiPromise<BotGenerateResponse> {
    return this.#caller.json<BotGenerateResponse>(operations.generateBot, { json: body }, options);
  }

  /**
   * Make a draft like this bot, here or in another workspace that the caller administers. Secrets, documents,
   * conversations, webhooks and versions are not copied.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `POST /api/bots/{bot_id}/duplicate` (duplicateBot)
   */
  duplicate(botId: string, body: BotDuplicateRequest = {}, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.duplicateBot, { path: [botId], json: body }, options);
  }

  /**
   * Show the bot with a PNG, WebP or JPEG image; its address becomes avatar_url in widget_theme.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/theme/avatar` (uploadBotAvatar)
   */
  uploadAvatar(botId: string, file: Upload, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.uploadBotAvatar, { path: [botId], upload: { field: 'file', file: file, fields: {} } }, options);
  }

  /**
   * Models that a bot can use, with their limits; a custom endpoint names its own.
   *
   * Needs an API key with the scope `bots:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/models` (listModels)
   */
  listModels(options?: CallOptions): ApiPromise<Array<ModelDescriptor>> {
    return this.#caller.json<Array<ModelDescriptor>>(operations.listModels, {}, options);
  }

  /**
   * Make one minimal model call with the bot’s settings; a failure is also stored in last_error.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/provider/test` (testBotProvider)
   */
  testProvider(botId: string, options?: CallOptions): ApiPromise<ProviderTestResponse> {
    return this.#caller.json<ProviderTestResponse>(operations.testBotProvider, { path: [botId] }, options);
  }

  /**
   * Answer a test message with the saved or a changed configuration; nothing is written.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/playground` (tryBot)
   */
  try(botId: string, body: PlaygroundRequest, options?: CallOptions): ApiPromise<PlaygroundReply> {
    return this.#caller.json<PlaygroundReply>(operations.tryBot, { path: [botId], json: body }, options);
  }

  /**
   * Answer a test message with the saved or a changed configuration; nothing is written.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/playground` (tryBot)
   */
  tryStreaming(botId: string, body: PlaygroundRequest, options?: CallOptions): EventStream<PlaygroundEvent> {
    return this.#caller.stream<PlaygroundEvent>(operations.tryBotStreaming, { path: [botId], json: body }, { resume: 'never', lastEvents: ['done'] }, options);
  }
}

export interface BookingsCalendarCallbackQuery {
  /** The id of the attempt; a request without it matches no attempt. */
  state?: string | undefined;
  /** The authorization code, which is exchanged for access. */
  code?: string | undefined;
  /** Why there is none. */
  error?: string | undefined;
}

export interface BookingsCreateQuery {
  /** The attendee’s time zone, used for times in mails to the attendee; none by default. */
  timezone?: string | undefined;
}

export interface BookingsListQuery {
  /** Bookings that begin then or later; now by default. */
  from?: string | undefined;
  /** Bookings that begin before it: 92 days (and an hour) later at most; 31 days later by default. */
  to?: string | undefined;
  /** Only bookings in this state. */
  status?: 'confirmed' | 'cancelled' | undefined;
  /** Only bookings of this bot’s visitors. */
  bot_id?: string | undefined;
}

export interface BookingsListSlotsQuery {
  /** Slots that begin then or later; now by default. */
  from?: string | undefined;
  /** Slots that begin before it: 31 days (and the hour of a 25-hour day) later at most; a week later by default. */
  to?: string | undefined;
  /** The time zone of `local_start`; the calendar’s time zone by default. */
  timezone?: string | undefined;
  /**
   * For admins: the slots that there would be with this as `slot_minutes` of the calendar’s settings, saved or
   * not.
   */
  slot_minutes?: number | undefined;
  /**
   * For admins: the slots that there would be with this as `buffer_minutes` of the calendar’s settings, saved or
   * not.
   */
  buffer_minutes?: number | undefined;
  /**
   * For admins: the slots that there would be with this as `business_open_hour` of the calendar’s settings, saved
   * or not.
   */
  business_open_hour?: number | undefined;
  /**
   * For admins: the slots that there would be with this as `business_close_hour` of the calendar’s settings, saved
   * or not.
   */
  business_close_hour?: number | undefined;
  /**
   * For admins: the slots that there would be with this as `weekdays_only` of the calendar’s settings, saved or
   * not.
   */
  weekdays_only?: boolean | undefined;
  /** For admins: the slots that there would be with this as `timezone` of the calendar’s settings, saved or not. */
  business_timezone?: string | undefined;
  /**
   * For admins: the slots that there would be with this as `booking_calendar_id` of the calendar’s settings, saved
   * or not.
   */
  booking_calendar_id?: string | undefined;
  /**
   * For admins: the slots that there would be with these as `calendar_ids` of the calendar’s settings, one a line,
   * saved or not.
   */
  calendar_ids?: string | undefined;
}

export interface BookingsCreateWidgetBookingQuery {
  /** The attendee’s time zone, used for times in mails to the attendee; none by default. */
  timezone?: string | undefined;
}

export interface BookingsListWidgetSlotsQuery {
  /** Slots that begin then or later; now by default. */
  from?: string | undefined;
  /** Slots that begin before it: 31 days (and the hour of a 25-hour day) later at most; a week later by default. */
  to?: string | undefined;
  /** The time zone of `local_start`; the calendar’s time zone by default. */
  timezone?: string | undefined;
}

/** Free times of the workspace’s calendar, and the meetings that are booked. */
export class BookingsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The OAuth redirect target: connects the calendar and redirects to the console.
   *
   * Needs no credentials.
   *
   * `GET /api/calendar/{provider}/callback` (calendarCallback)
   */
  calendarCallback(provider: string, query: BookingsCalendarCallbackQuery = {}, options?: CallOptions): ApiPromise<string> {
    return this.#caller.redirect(operations.calendarCallback, { path: [provider], query }, options);
  }

  /**
   * Begin to connect a calendar: says where to send the browser, for ten minutes.
   *
   * Needs an API key with the scope `bookings:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/calendar/{provider}/connect` (connectCalendar)
   */
  connectCalendar(provider: string, options?: CallOptions): ApiPromise<ConnectResponse> {
    return this.#caller.json<ConnectResponse>(operations.connectCalendar, { path: [provider] }, options);
  }

  /**
   * Disconnect the calendar: its access is revoked and deleted; bookings stay, and can be cancelled.
   *
   * Needs an API key with the scope `bookings:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `DELETE /api/calendar/connection` (disconnectCalendar)
   */
  disconnectCalendar(options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.disconnectCalendar, {}, options);
  }

  /**
   * The workspace’s calendar: its provider, settings and health.
   *
   * Needs an API key with the scope `bookings:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/calendar/connection` (getCalendarConnection)
   */
  getCalendarConnection(options?: CallOptions): ApiPromise<CalendarConnectionRead> {
    return this.#caller.json<CalendarConnectionRead>(operations.getCalendarConnection, {}, options);
  }

  /**
   * The calendars of the connected account, to choose from; empty without a provider.
   *
   * Needs an API key with the scope `bookings:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/calendar/calendars` (listCalendars)
   */
  listCalendars(options?: CallOptions): ApiPromise<Array<CalendarDescriptor>> {
    return this.#caller.json<Array<CalendarDescriptor>>(operations.listCalendars, {}, options);
  }

  /**
   * Cancel a meeting that has not started, and notify the attendee. Does nothing if it is cancelled.
   *
   * Needs an API key with the scope `bookings:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/bookings/{booking_id}/cancel` (cancelBooking)
   */
  cancel(bookingId: string, options?: CallOptions): ApiPromise<BookingRead> {
    return this.#caller.json<BookingRead>(operations.cancelBooking, { path: [bookingId] }, options);
  }

  /**
   * Book a slot that is free, and mail the attendee a confirmation; the calendar follows.
   *
   * Needs an API key with the scope `bookings:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/bookings` (createBooking)
   */
  create(body: BookRequest, query: BookingsCreateQuery = {}, options?: CallOptions): ApiPromise<BookingRead> {
    return this.#caller.json<BookingRead>(operations.createBooking, { json: body, query }, options);
  }

  /**
   * Bookings that begin within a range, by their start; 5,000 at most.
   *
   * Needs an API key with the scope `bookings:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/bookings` (listBookings)
   */
  list(query: BookingsListQuery = {}, options?: CallOptions): ApiPromise<Array<BookingRead>> {
    return this.#caller.json<Array<BookingRead>>(operations.listBookings, { query }, options);
  }

  /**
   * Return a booking.
   *
   * Needs an API key with the scope `bookings:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/bookings/{booking_id}` (getBooking)
   */
  get(bookingId: string, options?: CallOptions): ApiPromise<BookingRead> {
    return this.#caller.json<BookingRead>(operations.getBooking, { path: [bookingId] }, options);
  }

  /**
   * Times that are free for meetings, within a month. Admins can try other settings of the calendar before they
   * save them.
   *
   * Needs an API key with the scope `bookings:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/bookings/slots` (listBookingSlots)
   */
  listSlots(query: BookingsListSlotsQuery = {}, options?: CallOptions): ApiPromise<Array<BookingSlot>> {
    return this.#caller.json<Array<BookingSlot>>(operations.listBookingSlots, { query }, options);
  }

  /**
   * Change when meetings can be booked. Only the keys present are applied; null sets the default. Enables bookings
   * for a workspace without a calendar.
   *
   * Needs an API key with the scope `bookings:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `PATCH /api/calendar/settings` (updateCalendarSettings)
   */
  updateCalendarSettings(body: ConnectionSettings = {}, options?: CallOptions): ApiPromise<CalendarConnectionRead> {
    return this.#caller.json<CalendarConnectionRead>(operations.updateCalendarSettings, { json: body }, options);
  }

  /**
   * Book a free slot for the visitor. Name and address default to the contact’s. Repeating the request in a
   * session returns the same booking.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/bookings` (createWidgetBooking)
   */
  createWidgetBooking(sessionId: string, body: BookRequest, query: BookingsCreateWidgetBookingQuery = {}, options?: CallOptions): ApiPromise<BookingRead> {
    return this.#caller.json<BookingRead>(operations.createWidgetBooking, { path: [sessionId], json: body, query }, options);
  }

  /**
   * Bookable times of an active bot, for a page on its allowed_domains; the first 1,000. For more, set `from` to
   * after the start of the last one.
   *
   * Needs no credentials.
   *
   * `GET /api/public/bots/{public_key}/slots` (listWidgetSlots)
   */
  listWidgetSlots(publicKey: string, query: BookingsListWidgetSlotsQuery = {}, options?: CallOptions): ApiPromise<Array<BookingSlot>> {
    return this.#caller.json<Array<BookingSlot>>(operations.listWidgetSlots, { path: [publicKey], query }, options);
  }
}

export interface VersionsListQuery {
  /** Versions at most. */
  limit?: number | undefined;
  /** Only versions with lower numbers: the last number of the previous page. */
  before?: number | undefined;
}

/** Saved configurations of bots, and restoring them. */
export class VersionsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * A version.
   *
   * Needs an API key with the scope `bots:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/versions/{version}` (getBotVersion)
   */
  get(botId: string, version: number, options?: CallOptions): ApiPromise<BotVersionRead> {
    return this.#caller.json<BotVersionRead>(operations.getBotVersion, { path: [botId, version] }, options);
  }

  /**
   * Saved versions of the bot, newest first.
   *
   * Needs an API key with the scope `bots:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/versions` (listBotVersions)
   */
  list(botId: string, query: VersionsListQuery = {}, options?: CallOptions): PagePromise<BotVersionRead, ListPage<BotVersionRead>> {
    return this.#caller.keyset<BotVersionRead>(operations.listBotVersions, { path: [botId], query }, { parameter: 'before', field: 'version', defaultLimit: 50 }, options);
  }

  /**
   * Save the current configuration as the next version.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/versions` (saveBotVersion)
   */
  save(botId: string, body: BotVersionCreate = {}, options?: CallOptions): ApiPromise<BotVersionRead> {
    return this.#caller.json<BotVersionRead>(operations.saveBotVersion, { path: [botId], json: body }, options);
  }

  /**
   * Restore a version, after saving the current configuration as one. Status and the provider’s key stay; the
   * endpoint’s secret stays if the endpoint’s server does.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `POST /api/bots/{bot_id}/versions/{version}/restore` (restoreBotVersion)
   */
  restore(botId: string, version: number, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.restoreBotVersion, { path: [botId, version] }, options);
  }
}

export interface WidgetListMessagesQuery {
  /** Only messages after this id. */
  after?: string | undefined;
  /**
   * The last messages before this id instead of the first ones, or the last of all (`end`); always in
   * chronological order.
   */
  before?: string | undefined;
  /** Messages at most. */
  limit?: number | undefined;
}

/** Operations that the widget on a customer’s page calls. */
export class WidgetResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The avatar of a bot, cacheable by browsers.
   *
   * Needs no credentials.
   *
   * `GET /api/public/assets/{asset_id}` (getPublicAsset)
   */
  getPublicAsset(assetId: string, options?: CallOptions): ApiPromise<Response> {
    return this.#caller.binary(operations.getPublicAsset, { path: [assetId] }, options);
  }

  /**
   * The visitor closes the session.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/end` (endWidgetSession)
   */
  endSession(sessionId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.endWidgetSession, { path: [sessionId] }, options);
  }

  /**
   * Widget configuration of an active bot, for a page on its allowed_domains.
   *
   * Needs no credentials.
   *
   * `GET /api/public/bots/{public_key}/config` (getWidgetConfig)
   */
  getConfig(publicKey: string, options?: CallOptions): ApiPromise<WidgetConfig> {
    return this.#caller.json<WidgetConfig>(operations.getWidgetConfig, { path: [publicKey] }, options);
  }

  /**
   * The state of a session, for a page that is loaded again.
   *
   * Needs the visitor token of the session.
   *
   * `GET /api/public/sessions/{session_id}` (getWidgetSession)
   */
  getSession(sessionId: string, options?: CallOptions): ApiPromise<WidgetSession> {
    return this.#caller.json<WidgetSession>(operations.getWidgetSession, { path: [sessionId] }, options);
  }

  /**
   * The visitor’s own history, in order; `after` reads on, `before` reads back.
   *
   * Needs the visitor token of the session.
   *
   * `GET /api/public/sessions/{session_id}/messages` (listWidgetMessages)
   */
  listMessages(sessionId: string, query: WidgetListMessagesQuery = {}, options?: CallOptions): PagePromise<VisitorMessageRead, ListPage<VisitorMessageRead>> {
    return this.#caller.keyset<VisitorMessageRead>(operations.listWidgetMessages, { path: [sessionId], query }, { parameter: 'after', field: 'id', defaultLimit: 100 }, options);
  }

  /**
   * Write the visitor’s turn and wait for the whole answer; while a human has the conversation, only write it.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/messages` (sendWidgetMessage)
   */
  sendMessage(sessionId: string, body: WidgetMessageCreate, options?: CallOptions): ApiPromise<VisitorMessageRead> {
    return this.#caller.json<VisitorMessageRead>(operations.sendWidgetMessage, { path: [sessionId], json: body }, options);
  }

  /**
   * Rate the conversation; a later rating replaces an earlier one.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/rating` (rateWidgetSession)
   */
  rateSession(sessionId: string, body: RatingSubmission, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.rateWidgetSession, { path: [sessionId], json: body }, options);
  }

  /**
   * Ask for a person: the bot is silent from now on, and the team finds the conversation in its inbox.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/handoff` (requestWidgetHandoff)
   */
  requestHandoff(sessionId: string, body: HandoffRequest = {}, options?: CallOptions): ApiPromise<WidgetSession> {
    return this.#caller.json<WidgetSession>(operations.requestWidgetHandoff, { path: [sessionId], json: body }, options);
  }

  /**
   * Record whether contact details may be stored; a refusal deletes the stored ones.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/consent` (setWidgetConsent)
   */
  setConsent(sessionId: string, body: ConsentSubmission, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.setWidgetConsent, { path: [sessionId], json: body }, options);
  }

  /**
   * Open a conversation for a visitor.
   *
   * Needs no credentials.
   *
   * `POST /api/public/bots/{public_key}/sessions` (startWidgetSession)
   */
  startSession(publicKey: string, body: WidgetSessionCreate = {}, options?: CallOptions): ApiPromise<WidgetSessionCreated> {
    return this.#caller.json<WidgetSessionCreated>(operations.startWidgetSession, { path: [publicKey], json: body }, options);
  }

  /**
   * Write the visitor’s turn and stream the answer.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/messages/stream` (streamWidgetMessage)
   */
  streamMessage(sessionId: string, body: WidgetMessageCreate, options?: CallOptions): EventStream<WidgetEvent> {
    return this.#caller.stream<WidgetEvent>(operations.streamWidgetMessage, { path: [sessionId], json: body }, { resume: 'lastEventId', lastEvents: ['closed', 'ended', 'done'] }, options);
  }

  /**
   * Fill in the bot’s lead form; not after consent was refused.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/lead` (submitWidgetLead)
   */
  submitLead(sessionId: string, body: LeadSubmission, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.submitWidgetLead, { path: [sessionId], json: body }, options);
  }

  /**
   * Stream handoffs, messages of the team and the end of the session as they happen.
   *
   * Needs the visitor token of the session.
   *
   * `GET /api/public/sessions/{session_id}/events` (streamWidgetEvents)
   */
  streamEvents(sessionId: string, options?: CallOptions): EventStream<WidgetEvent> {
    return this.#caller.stream<WidgetEvent>(operations.streamWidgetEvents, { path: [sessionId] }, { resume: 'lastEventId', lastEvents: ['closed', 'ended', 'done'] }, options);
  }
}

/** Choices that lead visitors to a link. */
export class DirectoryResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The settings of a bot’s directory, and all its entries.
   *
   * Needs an API key with the scope `bots:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/directory` (getBotDirectory)
   */
  get(botId: string, options?: CallOptions): ApiPromise<DirectoryConfig> {
    return this.#caller.json<DirectoryConfig>(operations.getBotDirectory, { path: [botId] }, options);
  }

  /**
   * Replace the whole directory; omitted fields get their defaults.
   *
   * Needs an API key with the scope `bots:write`, created by a person with the role member or above, or the access
   * token of a person with that role.
   *
   * `PUT /api/bots/{bot_id}/directory` (replaceBotDirectory)
   */
  replace(botId: string, body: DirectoryConfig = {}, options?: CallOptions): ApiPromise<DirectoryConfig> {
    return this.#caller.json<DirectoryConfig>(operations.replaceBotDirectory, { path: [botId], json: body }, options);
  }

  /**
   * The link of a choice in the directory of an active bot, for a page on its allowed_domains. With a visitor
   * token (Authorization: Bearer) the choice is stored in the visitor’s contact fields.
   *
   * Needs no credentials, and takes the visitor token of a session.
   *
   * `POST /api/public/bots/{public_key}/directory/resolve` (resolveWidgetDirectory)
   */
  resolve(publicKey: string, body: DirectoryResolveRequest, options?: CallOptions): ApiPromise<DirectoryResolveResponse> {
    return this.#caller.json<DirectoryResolveResponse>(operations.resolveWidgetDirectory, { path: [publicKey], json: body }, options);
  }
}

export interface KnowledgeListQuery {
  /** Number of the page, from 1; not together with cursor. */
  page?: number | undefined;
  /** Rows of a page. */
  page_size?: number | undefined;
  /** next_cursor of the page before, with the same filters; page_size may change. */
  cursor?: string | undefined;
  /** indexed and failed are final. */
  status?: 'pending' | 'processing' | 'indexed' | 'failed' | undefined;
  /** The source of the content. */
  source_type?: 'url' | 'raw_text' | 'sitemap' | 'file' | undefined;
  /** One of its tags. */
  tag?: string | undefined;
  /** Only the pages of this sitemap source; `none` for documents without a sitemap source. */
  parent_id?: string | undefined;
  /** Part of the title, the file name or the URL. */
  q?: string | undefined;
}

export interface KnowledgeUploadFields {
  /** Empty to use the title in the file. */
  title?: string | undefined;
}

/** Documents that bots answer from. */
export class KnowledgeResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Register a url, sitemap or raw_text source and start to index it.
   *
   * Needs an API key with the scope `knowledge:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge` (createDocument)
   */
  create(botId: string, body: DocumentCreate, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.createDocument, { path: [botId], json: body }, options);
  }

  /**
   * A page of the bot’s documents, newest first.
   *
   * Needs an API key with the scope `knowledge:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge` (listDocuments)
   */
  list(botId: string, query: KnowledgeListQuery = {}, options?: CallOptions): PagePromise<DocumentRead, Page<DocumentRead>> {
    return this.#caller.pages<DocumentRead>(operations.listDocuments, { path: [botId], query }, options);
  }

  /**
   * Delete a document, or a sitemap with its pages: it disappears from answers immediately, then its original is
   * removed.
   *
   * Needs an API key with the scope `knowledge:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `DELETE /api/bots/{bot_id}/knowledge/{document_id}` (deleteDocument)
   */
  delete(botId: string, documentId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteDocument, { path: [botId, documentId] }, options);
  }

  /**
   * Return a document.
   *
   * Needs an API key with the scope `knowledge:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge/{document_id}` (getDocument)
   */
  get(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.getDocument, { path: [botId, documentId] }, options);
  }

  /**
   * Change a document’s title, tags or refresh without indexing it again.
   *
   * Needs an API key with the scope `knowledge:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `PATCH /api/bots/{bot_id}/knowledge/{document_id}` (updateDocument)
   */
  update(botId: string, documentId: string, body: DocumentUpdate = {}, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.updateDocument, { path: [botId, documentId], json: body }, options);
  }

  /**
   * The file that a signed, expiring link names; the link is the only credential.
   *
   * Needs no credentials.
   *
   * `GET /api/files/{token}` (downloadSignedFile)
   */
  downloadSignedFile(token: string, options?: CallOptions): ApiPromise<Response> {
    return this.#caller.binary(operations.downloadSignedFile, { path: [token] }, options);
  }

  /**
   * A new short-lived link to the original; 404 if there is none.
   *
   * Needs an API key with the scope `knowledge:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge/{document_id}/download` (getDocumentDownload)
   */
  getDownload(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentDownload> {
    return this.#caller.json<DocumentDownload>(operations.getDocumentDownload, { path: [botId, documentId] }, options);
  }

  /**
   * The progress of indexing: a cheap poll until the status is final.
   *
   * Needs an API key with the scope `knowledge:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge/{document_id}/status` (getDocumentStatus)
   */
  getStatus(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentStatusRead> {
    return this.#caller.json<DocumentStatusRead>(operations.getDocumentStatus, { path: [botId, documentId] }, options);
  }

  /**
   * Fetch the source again, or read the original again, and re-index it.
   *
   * Needs an API key with the scope `knowledge:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge/{document_id}/reindex` (reindexDocument)
   */
  reindex(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.reindexDocument, { path: [botId, documentId] }, options);
  }

  /**
   * Store a document and start to index it: PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, text or CSV.
   *
   * Needs an API key with the scope `knowledge:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge/upload` (uploadDocument)
   */
  upload(botId: string, file: Upload, fields: KnowledgeUploadFields = {}, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.uploadDocument, { path: [botId], upload: { field: 'file', file: file, fields } }, options);
  }

  /**
   * The best chunks with scores and citations, as the bot itself would see them.
   *
   * Needs an API key with the scope `knowledge:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge/search` (searchKnowledge)
   */
  search(botId: string, body: KnowledgeSearchRequest, options?: CallOptions): ApiPromise<KnowledgeSearchResponse> {
    return this.#caller.json<KnowledgeSearchResponse>(operations.searchKnowledge, { path: [botId], json: body }, options);
  }
}

export interface ConversationsListMessagesQuery {
  /** Only messages after this id. */
  after?: string | undefined;
  /**
   * The last messages before this id instead of the first ones, or the last of all (`end`); always in
   * chronological order.
   */
  before?: string | undefined;
  /** Messages at most. */
  limit?: number | undefined;
}

export interface ConversationsListQuery {
  /** Number of the page, from 1; not together with cursor. */
  page?: number | undefined;
  /** Rows of a page. */
  page_size?: number | undefined;
  /** next_cursor of the page before, with the same filters; page_size may change. */
  cursor?: string | undefined;
  /** Conversations with this bot. */
  bot_id?: string | undefined;
  /** Conversations of this contact. */
  contact_id?: string | undefined;
  /** Conversations in this state. */
  status?: 'active' | 'waiting_human' | 'human' | 'ended' | undefined;
  /**
   * Filter by whether the team has marked the conversation as resolved. Sessions without a visitor message are
   * included, unless has_visitor_message excludes them as analytics do.
   */
  resolved?: boolean | undefined;
  /**
   * Whether the visitor has sent a message. `true` lists the conversations that analytics count, `false` sessions
   * without a visitor message; both by default.
   */
  has_visitor_message?: boolean | undefined;
  /** Whether the visitor has left contact details. */
  is_lead?: boolean | undefined;
  /** Conversations that got this rating. */
  rating?: number | undefined;
  /** Started at this time or later. */
  from?: string | undefined;
  /** Started before this time. */
  to?: string | undefined;
  /**
   * Part of a message, of the title, the summary or the visitor id, or of the contact’s name, e-mail address or
   * phone number; its digits may be typed in any way.
   */
  q?: string | undefined;
  /**
   * Sort by start time or by time of the last message, newest first. With the latter, a conversation that gets a
   * message while you page moves to the top.
   */
  sort?: 'started' | 'last_message' | undefined;
}

export interface ConversationsGetTranscriptQuery {
  /** The kind of file; without it the Accept header decides. */
  format?: 'txt' | 'csv' | 'json' | undefined;
}

/** Conversations between visitors and bots. */
export class ConversationsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Resolve, reopen or delete up to 200 conversations; each id reports for itself.
   *
   * Needs an API key with the scope `conversations:write`, created by a person with the role member or above, or
   * the access token of a person with that role.
   *
   * `POST /api/conversations/bulk` (bulkUpdateConversations)
   */
  bulkUpdate(body: BulkConversationUpdate, options?: CallOptions): ApiPromise<BulkResponse> {
    return this.#caller.json<BulkResponse>(operations.bulkUpdateConversations, { json: body }, options);
  }

  /**
   * Delete a conversation and its messages.
   *
   * Needs an API key with the scope `conversations:write`, created by a person with the role admin or above, or
   * the access token of a person with that role.
   *
   * `DELETE /api/conversations/{conversation_id}` (deleteConversation)
   */
  delete(conversationId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteConversation, { path: [conversationId] }, options);
  }

  /**
   * Return a conversation with its messages and token totals.
   *
   * Needs an API key with the scope `conversations:read`, created by a person with the role viewer or above, or
   * the access token of a person with that role.
   *
   * `GET /api/conversations/{conversation_id}` (getConversation)
   */
  get(conversationId: string, options?: CallOptions): ApiPromise<ConversationDetail> {
    return this.#caller.json<ConversationDetail>(operations.getConversation, { path: [conversationId] }, options);
  }

  /**
   * Read a conversation again: contact fields as the bot declares them now, title, summary, sentiment.
   *
   * Needs an API key with the scope `conversations:write`, created by a person with the role member or above, or
   * the access token of a person with that role.
   *
   * `POST /api/conversations/{conversation_id}/extract` (extractConversationFields)
   */
  extractFields(conversationId: string, options?: CallOptions): ApiPromise<ConversationRead> {
    return this.#caller.json<ConversationRead>(operations.extractConversationFields, { path: [conversationId] }, options);
  }

  /**
   * Messages in order; `after` reads on in long threads, `before` reads back.
   *
   * Needs an API key with the scope `conversations:read`, created by a person with the role viewer or above, or
   * the access token of a person with that role.
   *
   * `GET /api/conversations/{conversation_id}/messages` (listConversationMessages)
   */
  listMessages(conversationId: string, query: ConversationsListMessagesQuery = {}, options?: CallOptions): PagePromise<MessageRead, ListPage<MessageRead>> {
    return this.#caller.keyset<MessageRead>(operations.listConversationMessages, { path: [conversationId], query }, { parameter: 'after', field: 'id', defaultLimit: 100 }, options);
  }

  /**
   * A page of the workspace’s conversations, newest first.
   *
   * Needs an API key with the scope `conversations:read`, created by a person with the role viewer or above, or
   * the access token of a person with that role.
   *
   * `GET /api/conversations` (listConversations)
   */
  list(query: ConversationsListQuery = {}, options?: CallOptions): PagePromise<ConversationRead, Page<ConversationRead>> {
    return this.#caller.pages<ConversationRead>(operations.listConversations, { query }, options);
  }

  /**
   * Reopen a conversation that is resolved or has ended, so that the visitor can continue.
   *
   * Needs an API key with the scope `conversations:write`, created by a person with the role member or above, or
   * the access token of a person with that role.
   *
   * `POST /api/conversations/{conversation_id}/reopen` (reopenConversation)
   */
  reopen(conversationId: string, options?: CallOptions): ApiPromise<ConversationRead> {
    return this.#caller.json<ConversationRead>(operations.reopenConversation, { path: [conversationId] }, options);
  }

  /**
   * Mark a conversation as resolved and remove it from the inbox.
   *
   * Needs an API key with the scope `conversations:write`, created by a person with the role member or above, or
   * the access token of a person with that role.
   *
   * `POST /api/conversations/{conversation_id}/resolve` (resolveConversation)
   */
  resolve(conversationId: string, options?: CallOptions): ApiPromise<ConversationRead> {
    return this.#caller.json<ConversationRead>(operations.resolveConversation, { path: [conversationId] }, options);
  }

  /**
   * Everything that was said in a conversation, as text, CSV or JSON.
   *
   * Needs an API key with the scope `conversations:read`, created by a person with the role viewer or above, or
   * the access token of a person with that role.
   *
   * `GET /api/conversations/{conversation_id}/transcript` (getConversationTranscript)
   */
  getTranscript(conversationId: string, query: ConversationsGetTranscriptQuery = {}, options?: CallOptions): ApiPromise<string> {
    return this.#caller.text(operations.getConversationTranscript, { path: [conversationId], query }, options);
  }
}

export interface ContactsExportQuery {
  /** Visitors of this bot. */
  bot_id?: string | undefined;
  /** Filter by whether they have left contact details. */
  is_lead?: boolean | undefined;
  /** One of their tags. */
  tag?: string | undefined;
  /** ISO 3166 code of their country. */
  country?: string | undefined;
  /** Part of the name, the e-mail address, the phone number, the visitor id or the identity. */
  q?: string | undefined;
}

export interface ContactsListQuery {
  /** Number of the page, from 1; not together with cursor. */
  page?: number | undefined;
  /** Rows of a page. */
  page_size?: number | undefined;
  /** next_cursor of the page before, with the same filters; page_size may change. */
  cursor?: string | undefined;
  /** Visitors of this bot. */
  bot_id?: string | undefined;
  /** Filter by whether they have left contact details. */
  is_lead?: boolean | undefined;
  /** One of their tags. */
  tag?: string | undefined;
  /** ISO 3166 code of their country. */
  country?: string | undefined;
  /** Part of the name, the e-mail address, the phone number, the visitor id or the identity. */
  q?: string | undefined;
}

/** Visitors with known contact details. */
export class ContactsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Erase a person: the contact and all conversations immediately, then copies in the webhook log and stored
   * answers.
   *
   * Needs an API key with the scope `contacts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/contacts/{contact_id}/erase` (eraseContact)
   */
  erase(contactId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.eraseContact, { path: [contactId] }, options);
  }

  /**
   * All contacts that fit the filters, as a CSV file.
   *
   * Needs an API key with the scope `contacts:read`, created by a person with the role admin or above, or the
   * access token of a person with that role. A signed-in caller must have signed in within the last ten minutes.
   * The workspace’s owners are notified by mail.
   *
   * `GET /api/contacts/export` (exportContacts)
   */
  export(query: ContactsExportQuery = {}, options?: CallOptions): ApiPromise<string> {
    return this.#caller.text(operations.exportContacts, { query }, options);
  }

  /**
   * Return a contact.
   *
   * Needs an API key with the scope `contacts:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/contacts/{contact_id}` (getContact)
   */
  get(contactId: string, options?: CallOptions): ApiPromise<ContactRead> {
    return this.#caller.json<ContactRead>(operations.getContact, { path: [contactId] }, options);
  }

  /**
   * Change a contact; only the keys present are applied. No details of one who has refused consent.
   *
   * Needs an API key with the scope `contacts:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `PATCH /api/contacts/{contact_id}` (updateContact)
   */
  update(contactId: string, body: ContactUpdate = {}, options?: CallOptions): ApiPromise<ContactRead> {
    return this.#caller.json<ContactRead>(operations.updateContact, { path: [contactId], json: body }, options);
  }

  /**
   * A page of the workspace’s contacts, newest first.
   *
   * Needs an API key with the scope `contacts:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/contacts` (listContacts)
   */
  list(query: ContactsListQuery = {}, options?: CallOptions): PagePromise<ContactRead, Page<ContactRead>> {
    return this.#caller.pages<ContactRead>(operations.listContacts, { query }, options);
  }
}

export interface InboxListQuery {
  /** Number of the page, from 1; not together with cursor. */
  page?: number | undefined;
  /** Rows of a page. */
  page_size?: number | undefined;
  /** next_cursor of the page before, with the same filters; page_size may change. */
  cursor?: string | undefined;
  /** Handoffs of this bot. */
  bot_id?: string | undefined;
  /** Filter by assignee: a member’s id, the caller (me), or unassigned (none). */
  assigned_to?: string | undefined;
}

/** Conversations that wait for a person, or that one has. */
export class InboxResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Assign a handoff to a member (including the caller), or unassign it.
   *
   * Needs an API key with the scope `inbox:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/inbox/{conversation_id}/assign` (assignInboxItem)
   */
  assign(conversationId: string, body: InboxAssignRequest, options?: CallOptions): ApiPromise<InboxItem> {
    return this.#caller.json<InboxItem>(operations.assignInboxItem, { path: [conversationId], json: body }, options);
  }

  /**
   * Take over a conversation that no team member has, whether it is waiting or with the bot.
   *
   * Needs an API key with the scope `inbox:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/inbox/{conversation_id}/claim` (claimInboxItem)
   */
  claim(conversationId: string, options?: CallOptions): ApiPromise<InboxItem> {
    return this.#caller.json<InboxItem>(operations.claimInboxItem, { path: [conversationId] }, options);
  }

  /**
   * A page of the conversations that a person is asked for or has, the longest waiting first.
   *
   * Needs an API key with the scope `inbox:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/inbox` (listInbox)
   */
  list(query: InboxListQuery = {}, options?: CallOptions): PagePromise<InboxItem, Page<InboxItem>> {
    return this.#caller.pages<InboxItem>(operations.listInbox, { query }, options);
  }

  /**
   * End the handoff: the bot answers again.
   *
   * Needs an API key with the scope `inbox:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/inbox/{conversation_id}/release` (releaseInboxItem)
   */
  release(conversationId: string, options?: CallOptions): ApiPromise<InboxItem> {
    return this.#caller.json<InboxItem>(operations.releaseInboxItem, { path: [conversationId] }, options);
  }

  /**
   * Send a message to the visitor. An unassigned handoff is assigned to the caller; a colleague’s must be taken
   * over first.
   *
   * Needs an API key with the scope `inbox:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/inbox/{conversation_id}/reply` (replyInboxItem)
   */
  reply(conversationId: string, body: InboxReplyRequest, options?: CallOptions): ApiPromise<MessageRead> {
    return this.#caller.json<MessageRead>(operations.replyInboxItem, { path: [conversationId], json: body }, options);
  }

  /**
   * Stream inbox events: a handoff arrives, is reassigned, gets a message or ends.
   *
   * Needs an API key with the scope `inbox:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/inbox/stream` (streamInbox)
   */
  stream(options?: CallOptions): EventStream<InboxEvent> {
    return this.#caller.stream<InboxEvent>(operations.streamInbox, {}, { resume: 'again', lastEvents: [] }, options);
  }
}

export interface AnalyticsListTopQuestionsQuery {
  /** The first day (UTC); 29 days before `to` by default. */
  from?: string | undefined;
  /** The last day (UTC), inclusive; a range has at most 92 days. Today by default. */
  to?: string | undefined;
  /** Questions to this bot. */
  bot_id?: string | undefined;
  /** Sort order: most often unanswered, or most often asked. */
  sort?: 'unanswered' | 'asked' | undefined;
  /** The number of questions. */
  limit?: number | undefined;
}

export interface AnalyticsGetOverviewQuery {
  /** The first moment, rounded down to a quarter of an hour; 30 days before `to` by default. */
  from?: string | undefined;
  /**
   * The exclusive end of the range, rounded down to a quarter of an hour, at most 366 days (and the hour of a
   * 25-hour day) after `from`. Defaults to the end of the current quarter hour.
   */
  to?: string | undefined;
  /** Only conversations of this bot. */
  bot_id?: string | undefined;
  /** The time zone that `days` are of. */
  timezone: string;
}

/** Outcomes of conversations, and visitors’ questions. */
export class AnalyticsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The most frequent questions, and those that the bots could not answer: gaps in the documents.
   *
   * Needs an API key with the scope `analytics:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/analytics/questions` (listTopQuestions)
   */
  listTopQuestions(query: AnalyticsListTopQuestionsQuery = {}, options?: CallOptions): ApiPromise<Array<QuestionCluster>> {
    return this.#caller.json<Array<QuestionCluster>>(operations.listTopQuestions, { query }, options);
  }

  /**
   * Current outcomes of the conversations that started in a range, with waiting times and latencies; of one bot or
   * of all.
   *
   * Needs an API key with the scope `analytics:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/analytics/overview` (getAnalyticsOverview)
   */
  getOverview(query: AnalyticsGetOverviewQuery, options?: CallOptions): ApiPromise<AnalyticsOverview> {
    return this.#caller.json<AnalyticsOverview>(operations.getAnalyticsOverview, { query }, options);
  }
}

export interface FlowsListQuery {
  /** Only flows of this bot. */
  bot_id?: string | undefined;
  /** Filter by whether the flow is active. */
  is_active?: boolean | undefined;
  /** Flows at most: each has its whole graph. */
  limit?: number | undefined;
  /** Only flows created before this one: the last id of the previous page. */
  before?: string | undefined;
}

/** Conversations that bots lead by plan. */
export class FlowsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Activate a flow, so that its trigger fires. The flow must be runnable, and no other active flow of the bot may
   * have the trigger. Does nothing if it is active.
   *
   * Needs an API key with the scope `flows:write`, created by a person with the role member or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `POST /api/flows/{flow_id}/activate` (activateFlow)
   */
  activate(flowId: string, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.activateFlow, { path: [flowId] }, options);
  }

  /**
   * Create an inactive flow; errors in its graph name node and field.
   *
   * Needs an API key with the scope `flows:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/flows` (createFlow)
   */
  create(body: FlowSave, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.createFlow, { json: body }, options);
  }

  /**
   * The workspace’s flows with their graphs, newest first; at most 50 per request.
   *
   * Needs an API key with the scope `flows:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/flows` (listFlows)
   */
  list(query: FlowsListQuery = {}, options?: CallOptions): PagePromise<FlowRead, ListPage<FlowRead>> {
    return this.#caller.keyset<FlowRead>(operations.listFlows, { query }, { parameter: 'before', field: 'id', defaultLimit: 50 }, options);
  }

  /**
   * Stop its trigger; visitors who are in the flow finish it.
   *
   * Needs an API key with the scope `flows:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/flows/{flow_id}/deactivate` (deactivateFlow)
   */
  deactivate(flowId: string, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.deactivateFlow, { path: [flowId] }, options);
  }

  /**
   * Delete a flow that is not active.
   *
   * Needs an API key with the scope `flows:write`, created by a person with the role admin or above, or the access
   * token of a person with that role.
   *
   * `DELETE /api/flows/{flow_id}` (deleteFlow)
   */
  delete(flowId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteFlow, { path: [flowId] }, options);
  }

  /**
   * Return a flow with its graph.
   *
   * Needs an API key with the scope `flows:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/flows/{flow_id}` (getFlow)
   */
  get(flowId: string, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.getFlow, { path: [flowId] }, options);
  }

  /**
   * Replace a flow. A secret header without a value keeps the stored one, while its node’s requests go to the same
   * server.
   *
   * Needs an API key with the scope `flows:write`, created by a person with the role member or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `PUT /api/flows/{flow_id}` (saveFlow)
   */
  save(flowId: string, body: FlowSave, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.saveFlow, { path: [flowId], json: body }, options);
  }

  /**
   * Run the graph on sample visitor input, and return the path. Documents are searched; nothing is written or
   * sent.
   *
   * Needs an API key with the scope `flows:write`, created by a person with the role member or above, or the
   * access token of a person with that role.
   *
   * `POST /api/flows/{flow_id}/run` (testFlow)
   */
  test(flowId: string, body: FlowTestRequest = {}, options?: CallOptions): ApiPromise<FlowTestResponse> {
    return this.#caller.json<FlowTestResponse>(operations.testFlow, { path: [flowId], json: body }, options);
  }
}

export interface UsageGetQuery {
  /** A month (UTC) until 9998-12; the current one by default. Future months have no usage. */
  month?: string | undefined;
  /** Include the workspaces below this one; for the workspace that pays, also deleted ones. */
  include_children?: boolean | undefined;
}

export interface UsageListDailyQuery {
  /** The first day (UTC); 29 days before `to` by default. */
  from?: string | undefined;
  /** The last day (UTC), inclusive; a range has at most 366 days. Today by default. */
  to?: string | undefined;
  /** The grouping. Without it there is one row per day, including days without usage. */
  group_by?: 'bot' | 'model' | undefined;
  /** Only the usage of this bot, which may have been deleted. */
  bot_id?: string | undefined;
  /** Include the workspaces below this one; for the workspace that pays, also deleted ones. */
  include_children?: boolean | undefined;
}

/** Usage of the plan by workspaces and their bots. */
export class UsageResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Messages, tokens, cost and alerts of a month, current documents, bots and seats, and the remaining quota.
   *
   * Needs an API key with the scope `usage:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/usage` (getUsage)
   */
  get(query: UsageGetQuery = {}, options?: CallOptions): ApiPromise<UsageSummary> {
    return this.#caller.json<UsageSummary>(operations.getUsage, { query }, options);
  }

  /**
   * Messages, tokens and cost day by day, of bots or models each by itself if you like.
   *
   * Needs an API key with the scope `usage:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/usage/daily` (listDailyUsage)
   */
  listDaily(query: UsageListDailyQuery = {}, options?: CallOptions): ApiPromise<Array<UsageDay>> {
    return this.#caller.json<Array<UsageDay>>(operations.listDailyUsage, { query }, options);
  }
}

export interface ToolInvocationsListQuery {
  /** Number of the page, from 1; not together with cursor. */
  page?: number | undefined;
  /** Rows of a page. */
  page_size?: number | undefined;
  /** next_cursor of the page before, with the same filters; page_size may change. */
  cursor?: string | undefined;
  /** Only calls of this tool. */
  tool?: 'list_bots' | 'get_bot' | 'search_knowledge' | 'ask_bot' | 'add_knowledge' | 'list_documents' | 'find_conversations' | 'get_conversation' | 'get_insights' | undefined;
  /** Only calls with this key. */
  api_key_id?: string | undefined;
  /** Only calls with this result. */
  outcome?: 'succeeded' | 'failed' | undefined;
}

/** Calls by clients of the MCP server. */
export class ToolInvocationsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The log of MCP tool calls, newest first: tool, key, outcome, duration; arguments are redacted.
   *
   * Needs an API key with the scope `tools:read`, created by a person with the role admin or above, or the access
   * token of a person with that role.
   *
   * `GET /api/tool-invocations` (listToolInvocations)
   */
  list(query: ToolInvocationsListQuery = {}, options?: CallOptions): PagePromise<ToolInvocationResponse, Page<ToolInvocationResponse>> {
    return this.#caller.pages<ToolInvocationResponse>(operations.listToolInvocations, { query }, options);
  }
}

export interface AlertsListQuery {
  /** Only policies of this bot. */
  bot_id?: string | undefined;
}

/** Alerts about events, sent to messaging apps. */
export class AlertsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Create a link that connects a chat at Telegram to the workspace; opening it grants consent.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/alerts/telegram/connect` (connectTelegram)
   */
  connectTelegram(options?: CallOptions): ApiPromise<AlertConnectResponse> {
    return this.#caller.json<AlertConnectResponse>(operations.connectTelegram, {}, options);
  }

  /**
   * Create a link that connects a chat at WhatsApp to the workspace; opening it grants consent.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/alerts/whatsapp/connect` (connectWhatsapp)
   */
  connectWhatsapp(options?: CallOptions): ApiPromise<AlertConnectResponse> {
    return this.#caller.json<AlertConnectResponse>(operations.connectWhatsapp, {}, options);
  }

  /**
   * Delete a policy and its unsent alerts; the destination stays verified.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `DELETE /api/alerts/{policy_id}` (deleteAlertPolicy)
   */
  delete(policyId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteAlertPolicy, { path: [policyId] }, options);
  }

  /**
   * Estimate the messages and cost of a policy in a month, from the events of the last 30 days. Stores nothing.
   *
   * Needs an API key with the scope `alerts:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `POST /api/alerts/estimate` (estimateAlertCost)
   */
  estimateCost(body: PolicyRequest, options?: CallOptions): ApiPromise<AlertEstimate> {
    return this.#caller.json<AlertEstimate>(operations.estimateAlertCost, { json: body }, options);
  }

  /**
   * Verify a destination by the code that it was sent: five tries, for ten minutes.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `POST /api/alerts/{policy_id}/verify` (finishAlertVerification)
   */
  finishVerification(policyId: string, body: AlertVerifyRequest, options?: CallOptions): ApiPromise<AlertPolicyRead> {
    return this.#caller.json<AlertPolicyRead>(operations.finishAlertVerification, { path: [policyId], json: body }, options);
  }

  /**
   * Alert policies for messaging apps, newest first, with the messages sent today.
   *
   * Needs an API key with the scope `alerts:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/alerts` (listAlertPolicies)
   */
  list(query: AlertsListQuery = {}, options?: CallOptions): ApiPromise<Array<AlertPolicyRead>> {
    return this.#caller.json<Array<AlertPolicyRead>>(operations.listAlertPolicies, { query }, options);
  }

  /**
   * Make or replace the policy of a bot, channel and destination. A destination that the workspace has not
   * verified gets nothing until it is.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `PUT /api/alerts` (saveAlertPolicy)
   */
  save(body: PolicyRequest, options?: CallOptions): ApiPromise<AlertPolicyRead> {
    return this.#caller.json<AlertPolicyRead>(operations.saveAlertPolicy, { json: body }, options);
  }

  /**
   * Return whether a link into a chat at Telegram was opened, and which destination it gave.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/alerts/telegram/poll` (pollTelegram)
   */
  pollTelegram(body: AlertPollRequest, options?: CallOptions): ApiPromise<AlertConnectionState> {
    return this.#caller.json<AlertConnectionState>(operations.pollTelegram, { json: body }, options);
  }

  /**
   * Return whether a link into a chat at WhatsApp was opened, and which destination it gave.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/alerts/whatsapp/poll` (pollWhatsapp)
   */
  pollWhatsapp(body: AlertPollRequest, options?: CallOptions): ApiPromise<AlertConnectionState> {
    return this.#caller.json<AlertConnectionState>(operations.pollWhatsapp, { json: body }, options);
  }

  /**
   * Send a code of six digits to a destination that is not verified, at most once a minute.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/alerts/{policy_id}/verify/start` (startAlertVerification)
   */
  startVerification(policyId: string, options?: CallOptions): ApiPromise<AlertVerificationStarted> {
    return this.#caller.json<AlertVerificationStarted>(operations.startAlertVerification, { path: [policyId] }, options);
  }

  /**
   * Send a test alert through the normal path, and return its result; it does not count towards the daily cap.
   *
   * Needs an API key with the scope `alerts:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/alerts/{policy_id}/test` (testAlertPolicy)
   */
  test(policyId: string, options?: CallOptions): ApiPromise<AlertTestResponse> {
    return this.#caller.json<AlertTestResponse>(operations.testAlertPolicy, { path: [policyId] }, options);
  }
}

export interface ArchiveGetDownloadQuery {
  /** Which of its `parts`, from 1. */
  part?: number | undefined;
}

/** Exports of conversations as archives, and imports of them. */
export class ArchiveResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Start to make an archive of conversations with their messages and contacts.
   *
   * Needs an API key with the scope `archive:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. A signed-in caller must have signed in within the last ten minutes.
   * The workspace’s owners are notified by mail.
   *
   * `POST /api/archive/export` (exportArchive)
   */
  export(body: ArchiveExportRequest = {}, options?: CallOptions): ApiPromise<ArchiveJobRead> {
    return this.#caller.json<ArchiveJobRead>(operations.exportArchive, { json: body }, options);
  }

  /**
   * A new short-lived link to a part of a finished export; 404 once the export has expired.
   *
   * Needs an API key with the scope `archive:read`, created by a person with the role admin or above, or the
   * access token of a person with that role. A signed-in caller must have signed in within the last ten minutes.
   * The workspace’s owners are notified by mail.
   *
   * `GET /api/archive/jobs/{job_id}/download` (getArchiveDownload)
   */
  getDownload(jobId: string, query: ArchiveGetDownloadQuery = {}, options?: CallOptions): ApiPromise<DocumentDownload> {
    return this.#caller.json<DocumentDownload>(operations.getArchiveDownload, { path: [jobId], query }, options);
  }

  /**
   * The progress and result of an export or import, and the items that were skipped.
   *
   * Needs an API key with the scope `archive:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/archive/jobs/{job_id}` (getArchiveJob)
   */
  getJob(jobId: string, options?: CallOptions): ApiPromise<ArchiveJobRead> {
    return this.#caller.json<ArchiveJobRead>(operations.getArchiveJob, { path: [jobId] }, options);
  }

  /**
   * Upload an archive and start an import of the items that do not exist here; existing items stay unchanged.
   *
   * Needs an API key with the scope `archive:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/archive/import` (importArchive)
   */
  import(file: Upload, options?: CallOptions): ApiPromise<ArchiveJobRead> {
    return this.#caller.json<ArchiveJobRead>(operations.importArchive, { upload: { field: 'file', file: file, fields: {} } }, options);
  }

  /**
   * Exports and imports of the last 30 days, newest first.
   *
   * Needs an API key with the scope `archive:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/archive/jobs` (listArchiveJobs)
   */
  listJobs(options?: CallOptions): ApiPromise<Array<ArchiveJobRead>> {
    return this.#caller.json<Array<ArchiveJobRead>>(operations.listArchiveJobs, {}, options);
  }
}

export interface WebhooksListQuery {
  /** Only endpoints limited to this bot. */
  bot_id?: string | undefined;
}

export interface WebhooksListDeliveriesQuery {
  /** Number of the page, from 1; not together with cursor. */
  page?: number | undefined;
  /** Rows of a page. */
  page_size?: number | undefined;
  /** next_cursor of the page before, with the same filters; page_size may change. */
  cursor?: string | undefined;
  /** Return a delivery. */
  id?: string | undefined;
  /** Deliveries to this endpoint. */
  webhook_id?: string | undefined;
  /** Deliveries of this event. */
  event?: 'conversation.started' | 'conversation.ended' | 'message.created' | 'lead.captured' | 'contact.updated' | 'document.indexed' | 'document.failed' | 'handoff.requested' | undefined;
  /** Deliveries in this state. */
  status?: 'pending' | 'retrying' | 'delivered' | 'failed' | undefined;
  /** Created at this time or later. */
  from?: string | undefined;
  /** Created before this time. */
  to?: string | undefined;
}

/** Signed events for customers’ servers. */
export class WebhooksResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Register an endpoint; the answer shows its signing secret this once.
   *
   * Needs an API key with the scope `webhooks:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `POST /api/webhooks` (createWebhook)
   */
  create(body: WebhookCreate, options?: CallOptions): ApiPromise<WebhookCreated> {
    return this.#caller.json<WebhookCreated>(operations.createWebhook, { json: body }, options);
  }

  /**
   * The workspace’s endpoints, newest first.
   *
   * Needs an API key with the scope `webhooks:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/webhooks` (listWebhooks)
   */
  list(query: WebhooksListQuery = {}, options?: CallOptions): ApiPromise<Array<WebhookResponse>> {
    return this.#caller.json<Array<WebhookResponse>>(operations.listWebhooks, { query }, options);
  }

  /**
   * Remove an endpoint with its log; nothing is sent to it any more.
   *
   * Needs an API key with the scope `webhooks:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `DELETE /api/webhooks/{id}` (deleteWebhook)
   */
  delete(id: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteWebhook, { path: [id] }, options);
  }

  /**
   * Return an endpoint with its health.
   *
   * Needs an API key with the scope `webhooks:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/webhooks/{id}` (getWebhook)
   */
  get(id: string, options?: CallOptions): ApiPromise<WebhookResponse> {
    return this.#caller.json<WebhookResponse>(operations.getWebhook, { path: [id] }, options);
  }

  /**
   * Change an endpoint, or switch it off and on again.
   *
   * Needs an API key with the scope `webhooks:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `PATCH /api/webhooks/{id}` (updateWebhook)
   */
  update(id: string, body: WebhookUpdate = {}, options?: CallOptions): ApiPromise<WebhookResponse> {
    return this.#caller.json<WebhookResponse>(operations.updateWebhook, { path: [id], json: body }, options);
  }

  /**
   * The delivery log, newest first: requests, responses, and reasons for retries.
   *
   * Needs an API key with the scope `webhooks:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/webhooks/deliveries` (listWebhookDeliveries)
   */
  listDeliveries(query: WebhooksListDeliveriesQuery = {}, options?: CallOptions): PagePromise<WebhookDeliveryResponse, Page<WebhookDeliveryResponse>> {
    return this.#caller.pages<WebhookDeliveryResponse>(operations.listWebhookDeliveries, { query }, options);
  }

  /**
   * All events that endpoints can subscribe to, each with a sample and its schema.
   *
   * Needs an API key with the scope `webhooks:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/webhooks/events` (listWebhookEvents)
   */
  listEvents(options?: CallOptions): ApiPromise<Array<EventDescriptor>> {
    return this.#caller.json<Array<EventDescriptor>>(operations.listWebhookEvents, {}, options);
  }

  /**
   * Replace the events that an endpoint wants.
   *
   * Needs an API key with the scope `webhooks:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `PUT /api/webhooks/{id}/events` (replaceWebhookEvents)
   */
  replaceEvents(id: string, body: EventsUpdate, options?: CallOptions): ApiPromise<WebhookResponse> {
    return this.#caller.json<WebhookResponse>(operations.replaceWebhookEvents, { path: [id], json: body }, options);
  }

  /**
   * Redeliver: creates a new delivery that refers to the old one, which stays in the log.
   *
   * Needs an API key with the scope `webhooks:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/webhooks/deliveries/{delivery_id}/replay` (replayWebhookDelivery)
   */
  replayDelivery(deliveryId: string, options?: CallOptions): ApiPromise<WebhookDeliveryResponse> {
    return this.#caller.json<WebhookDeliveryResponse>(operations.replayWebhookDelivery, { path: [deliveryId] }, options);
  }

  /**
   * Rotate the signing secret; only this response shows the new one.
   *
   * Needs an API key with the scope `webhooks:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. The workspace’s owners are notified by mail.
   *
   * `POST /api/webhooks/{id}/rotate-secret` (rotateWebhookSecret)
   */
  rotateSecret(id: string, options?: CallOptions): ApiPromise<RotateSecretResponse> {
    return this.#caller.json<RotateSecretResponse>(operations.rotateWebhookSecret, { path: [id] }, options);
  }

  /**
   * Send a test event to an endpoint through the normal path, and return the result of the first attempt.
   *
   * Needs an API key with the scope `webhooks:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `POST /api/webhooks/{id}/test` (testWebhook)
   */
  test(id: string, options?: CallOptions): ApiPromise<WebhookTestResponse> {
    return this.#caller.json<WebhookTestResponse>(operations.testWebhook, { path: [id] }, options);
  }
}

export interface BillingListReceiptsQuery {
  /** Maximum number of items. */
  limit?: number | undefined;
  /** Only receipts after this one in the list. */
  before?: string | undefined;
}

export interface BillingReceiveEventHeaders {
  /** The time and the signatures of the body, by the secret of the endpoint. */
  'Stripe-Signature'?: string | undefined;
}

/** Plans, subscriptions, payments and receipts. */
export class BillingResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Cancel the subscription at the end of the paid period. Checking out any tier before then undoes this.
   *
   * Needs the access token of a person with the role owner or above.
   *
   * `POST /api/billing/subscription/cancel` (cancelSubscription)
   */
  cancelSubscription(options?: CallOptions): ApiPromise<SubscriptionRead> {
    return this.#caller.json<SubscriptionRead>(operations.cancelSubscription, {}, options);
  }

  /**
   * Create a hosted checkout for a tier or a top-up, or return the open one. Checking out the tier of a cancelled
   * subscription resumes it at no charge.
   *
   * Needs the access token of a person with the role owner or above.
   *
   * `POST /api/billing/checkout` (createCheckout)
   */
  createCheckout(body: CheckoutRequest, options?: CallOptions): ApiPromise<CheckoutResponse> {
    return this.#caller.json<CheckoutResponse>(operations.createCheckout, { json: body }, options);
  }

  /**
   * The file of a receipt, with the addressee of the day on which it was issued.
   *
   * Needs an API key with the scope `billing:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/billing/receipts/{receipt_id}/download` (downloadReceipt)
   */
  downloadReceipt(receiptId: string, options?: CallOptions): ApiPromise<Response> {
    return this.#caller.binary(operations.downloadReceipt, { path: [receiptId] }, options);
  }

  /**
   * The billing address on receipts.
   *
   * Needs an API key with the scope `billing:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/billing/profile` (getBillingProfile)
   */
  getProfile(options?: CallOptions): ApiPromise<BillingProfileRead> {
    return this.#caller.json<BillingProfileRead>(operations.getBillingProfile, {}, options);
  }

  /**
   * Save the billing address for future receipts; issued ones stay unchanged.
   *
   * Needs the access token of a person with the role owner or above. The workspace’s owners are notified by mail.
   *
   * `PUT /api/billing/profile` (saveBillingProfile)
   */
  saveProfile(body: BillingProfileIn = {}, options?: CallOptions): ApiPromise<BillingProfileRead> {
    return this.#caller.json<BillingProfileRead>(operations.saveBillingProfile, { json: body }, options);
  }

  /**
   * The plan of the workspace: its limits, the end of the paid period, and remaining top-ups.
   *
   * Needs an API key with the scope `billing:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/billing/subscription` (getSubscription)
   */
  getSubscription(options?: CallOptions): ApiPromise<SubscriptionRead> {
    return this.#caller.json<SubscriptionRead>(operations.getSubscription, {}, options);
  }

  /**
   * The tiers with their limits, and the top-ups, that can be bought; empty without a payment provider.
   *
   * Needs an API key with the scope `billing:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/billing/plans` (listPlans)
   */
  listPlans(options?: CallOptions): ApiPromise<Array<PlanRead>> {
    return this.#caller.json<Array<PlanRead>>(operations.listPlans, {}, options);
  }

  /**
   * Receipts, newest first; only the workspace that pays has any.
   *
   * Needs an API key with the scope `billing:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/billing/receipts` (listReceipts)
   */
  listReceipts(query: BillingListReceiptsQuery = {}, options?: CallOptions): PagePromise<ReceiptRead, ListPage<ReceiptRead>> {
    return this.#caller.keyset<ReceiptRead>(operations.listReceipts, { query }, { parameter: 'before', field: 'id', defaultLimit: 50 }, options);
  }

  /**
   * The payment provider’s webhook. Each event triggers one re-read of the provider’s state; the event’s own data
   * is not used.
   *
   * Needs no credentials.
   *
   * `POST /api/billing/provider-events` (receiveBillingEvent)
   */
  receiveEvent(body: string | Uint8Array, headers: BillingReceiveEventHeaders = {}, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.receiveBillingEvent, { raw: body, headers: { ...headers } }, options);
  }
}

export interface EncryptionGetQuery {
  /** Return the consequences of this mode instead of the current one. */
  mode?: 'platform' | 'tenant' | undefined;
}

/** Encryption of content, and who owns the key. */
export class EncryptionResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The encryption of the workspace’s content and its consequences, or those of another mode.
   *
   * Needs an API key with the scope `encryption:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/encryption` (getEncryption)
   */
  get(query: EncryptionGetQuery = {}, options?: CallOptions): ApiPromise<EncryptionState> {
    return this.#caller.json<EncryptionState>(operations.getEncryption, { query }, options);
  }

  /**
   * Choose whose key encrypts content. Existing content is encrypted or decrypted in the background. The mode
   * tenant needs the workspace’s settings.key_service.
   *
   * Needs the access token of a person with the role owner or above. A signed-in caller must have signed in within
   * the last ten minutes. The workspace’s owners are notified by mail.
   *
   * `PUT /api/encryption` (setEncryption)
   */
  set(body: EncryptionUpdate, options?: CallOptions): ApiPromise<EncryptionState> {
    return this.#caller.json<EncryptionState>(operations.setEncryption, { json: body }, options);
  }

  /**
   * Make a new key of the workspace. The present one is retired in the background.
   *
   * Needs the access token of a person with the role owner or above. A signed-in caller must have signed in within
   * the last ten minutes. The workspace’s owners are notified by mail.
   *
   * `POST /api/encryption/rotate` (rotateEncryptionKey)
   */
  rotate(options?: CallOptions): ApiPromise<EncryptionState> {
    return this.#caller.json<EncryptionState>(operations.rotateEncryptionKey, {}, options);
  }
}

export interface OrgsListAuditEventsQuery {
  /** Only actions of this person. */
  user_id?: string | undefined;
  /** Only actions with this API key. */
  key_id?: string | undefined;
  /** Only this operation. */
  operation?: string | undefined;
  /** Only objects of this kind. */
  resource_type?: string | undefined;
  /** Only this object. */
  resource_id?: string | undefined;
  /** At this time or later. */
  since?: string | undefined;
  /** Earlier than this: a time, or the id of an event. */
  before?: string | undefined;
  /** The most events to answer with. */
  limit?: number | undefined;
}

/** Workspaces, their hierarchy, and the audit log. */
export class OrgsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Create a client workspace below this one, at most five levels deep; the caller owns it.
   *
   * Needs an API key with the scope `org:write`, created by a person with the role admin or above, or the access
   * token of a person with that role.
   *
   * `POST /api/orgs/{org_id}/children` (createChildOrg)
   */
  createChild(orgId: string, body: OrgCreate, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.createChildOrg, { path: [orgId], json: body }, options);
  }

  /**
   * Create a top-level workspace; the caller owns it.
   *
   * Needs an access token.
   *
   * `POST /api/orgs` (createOrg)
   */
  create(body: OrgCreate, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.createOrg, { json: body }, options);
  }

  /**
   * The workspaces that the caller belongs to, with the role in each; an API key lists its own and those below.
   *
   * Needs an API key with the scope `org:read`, or an access token.
   *
   * `GET /api/orgs` (listOrgs)
   */
  list(options?: CallOptions): ApiPromise<Array<OrgRead>> {
    return this.#caller.json<Array<OrgRead>>(operations.listOrgs, {}, options);
  }

  /**
   * Delete a workspace that has no sub-workspaces, with everything in it. Its owners are notified by mail, and the
   * parent’s audit log records it.
   *
   * Needs the access token of a person with the role owner or above. A signed-in caller must have signed in within
   * the last ten minutes. The workspace’s owners are notified by mail.
   *
   * `DELETE /api/orgs/{org_id}` (deleteOrg)
   */
  delete(orgId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteOrg, { path: [orgId] }, options);
  }

  /**
   * One workspace, with the caller’s role in it.
   *
   * Needs an API key with the scope `org:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/orgs/{org_id}` (getOrg)
   */
  get(orgId: string, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.getOrg, { path: [orgId] }, options);
  }

  /**
   * Change name or settings. Owners can also suspend and reactivate the workspace, and set the service that
   * manages its own key.
   *
   * Needs an API key with the scope `org:write`, created by a person with the role admin or above, or the access
   * token of a person with that role. A signed-in caller must have signed in within the last ten minutes, where it
   * sets or removes settings.key_service. The workspace’s owners are notified by mail.
   *
   * `PATCH /api/orgs/{org_id}` (updateOrg)
   */
  update(orgId: string, body: OrgUpdate = {}, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.updateOrg, { path: [orgId], json: body }, options);
  }

  /**
   * The workspace and all below it, as a tree.
   *
   * Needs an API key with the scope `org:read`, created by a person with the role viewer or above, or the access
   * token of a person with that role.
   *
   * `GET /api/orgs/{org_id}/hierarchy` (getOrgHierarchy)
   */
  getHierarchy(orgId: string, options?: CallOptions): ApiPromise<HierarchyNode> {
    return this.#caller.json<HierarchyNode>(operations.getOrgHierarchy, { path: [orgId] }, options);
  }

  /**
   * Audit log: actor, action, object and IP address, newest first.
   *
   * Needs an API key with the scope `org:read`, created by a person with the role admin or above, or the access
   * token of a person with that role.
   *
   * `GET /api/orgs/{org_id}/audit-log` (listAuditEvents)
   */
  listAuditEvents(orgId: string, query: OrgsListAuditEventsQuery = {}, options?: CallOptions): PagePromise<AuditEventRead, ListPage<AuditEventRead>> {
    return this.#caller.keyset<AuditEventRead>(operations.listAuditEvents, { path: [orgId], query }, { parameter: 'before', field: 'id', defaultLimit: 50 }, options);
  }
}

/** The people of a workspace, and who is invited. */
export class MembersResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The team, in the order in which people have joined.
   *
   * Needs an API key with the scope `members:read`, created by a person with the role viewer or above, or the
   * access token of a person with that role.
   *
   * `GET /api/orgs/{org_id}/members` (listMembers)
   */
  list(orgId: string, options?: CallOptions): ApiPromise<Array<MemberRead>> {
    return this.#caller.json<Array<MemberRead>>(operations.listMembers, { path: [orgId] }, options);
  }

  /**
   * Remove a member, or leave, which any signed-in member may do. The person’s sessions, keys and invitations here
   * stop working. An API key cannot remove admins.
   *
   * Needs an API key with the scope `members:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. A signed-in caller must have signed in within the last ten minutes.
   * The workspace’s owners are notified by mail.
   *
   * `DELETE /api/orgs/{org_id}/members/{membership_id}` (removeMember)
   */
  remove(orgId: string, membershipId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.removeMember, { path: [orgId, membershipId] }, options);
  }

  /**
   * Change a member’s role. Only signed-in people can make or change admins, only owners can make or change
   * owners, and one owner must remain.
   *
   * Needs an API key with the scope `members:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. A signed-in caller must have signed in within the last ten minutes.
   * The workspace’s owners are notified by mail.
   *
   * `PUT /api/orgs/{org_id}/members/{membership_id}/role` (setMemberRole)
   */
  setRole(orgId: string, membershipId: string, body: MemberRoleUpdate, options?: CallOptions): ApiPromise<MemberRead> {
    return this.#caller.json<MemberRead>(operations.setMemberRole, { path: [orgId, membershipId], json: body }, options);
  }

  /**
   * Make another verified member the owner and yourself an admin; requires your password, or a fresh sign-in if
   * you have none.
   *
   * Needs the access token of a person with the role owner or above. A signed-in caller must have signed in within
   * the last ten minutes, unless the body proves who owns the account. The workspace’s owners are notified by
   * mail.
   *
   * `POST /api/orgs/{org_id}/transfer-ownership` (transferOwnership)
   */
  transferOwnership(orgId: string, body: OwnershipTransfer, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.transferOwnership, { path: [orgId], json: body }, options);
  }

  /**
   * Join the workspace: with a new account of this name and password, or signed in with the account that was
   * invited.
   *
   * Needs no credentials.
   *
   * `POST /api/invitations/accept` (acceptInvitation)
   */
  acceptInvitation(body: AcceptInvitationRequest, options?: CallOptions): ApiPromise<TokenResponse> {
    return this.#caller.json<TokenResponse>(operations.acceptInvitation, { json: body }, options);
  }

  /**
   * Mail an invitation link to a person; it works once, until expires_at. Needs a confirmed address; an API key
   * cannot invite admins.
   *
   * Needs an API key with the scope `members:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. A signed-in caller must have signed in within the last ten minutes.
   * The workspace’s owners are notified by mail.
   *
   * `POST /api/orgs/{org_id}/invitations` (createInvitation)
   */
  createInvitation(orgId: string, body: InvitationCreate, options?: CallOptions): ApiPromise<InvitationRead> {
    return this.#caller.json<InvitationRead>(operations.createInvitation, { path: [orgId], json: body }, options);
  }

  /**
   * Open and past invitations, newest first.
   *
   * Needs an API key with the scope `members:read`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `GET /api/orgs/{org_id}/invitations` (listInvitations)
   */
  listInvitations(orgId: string, options?: CallOptions): ApiPromise<Array<InvitationRead>> {
    return this.#caller.json<Array<InvitationRead>>(operations.listInvitations, { path: [orgId] }, options);
  }

  /**
   * The details of an invitation, for the holder of its link.
   *
   * Needs no credentials.
   *
   * `GET /api/invitations/{token}` (previewInvitation)
   */
  previewInvitation(token: string, options?: CallOptions): ApiPromise<InvitationPreview> {
    return this.#caller.json<InvitationPreview>(operations.previewInvitation, { path: [token] }, options);
  }

  /**
   * Mail a new link, which works until the new expires_at; the previous one stops working.
   *
   * Needs an API key with the scope `members:write`, created by a person with the role admin or above, or the
   * access token of a person with that role. A signed-in caller must have signed in within the last ten minutes.
   * The workspace’s owners are notified by mail.
   *
   * `POST /api/orgs/{org_id}/invitations/{invitation_id}/resend` (resendInvitation)
   */
  resendInvitation(orgId: string, invitationId: string, options?: CallOptions): ApiPromise<InvitationRead> {
    return this.#caller.json<InvitationRead>(operations.resendInvitation, { path: [orgId, invitationId] }, options);
  }

  /**
   * Make the link of an invitation useless.
   *
   * Needs an API key with the scope `members:write`, created by a person with the role admin or above, or the
   * access token of a person with that role.
   *
   * `DELETE /api/orgs/{org_id}/invitations/{invitation_id}` (revokeInvitation)
   */
  revokeInvitation(orgId: string, invitationId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.revokeInvitation, { path: [orgId, invitationId] }, options);
  }
}

/** Keys that programs call with. */
export class ApiKeysResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Create an API key, which is shown this once and never may more than the caller.
   *
   * Needs the access token of a person with the role admin or above. A signed-in caller must have signed in within
   * the last ten minutes. The workspace’s owners are notified by mail.
   *
   * `POST /api/api-keys` (createApiKey)
   */
  create(body: ApiKeyCreate, options?: CallOptions): ApiPromise<ApiKeyCreated> {
    return this.#caller.json<ApiKeyCreated>(operations.createApiKey, { json: body }, options);
  }

  /**
   * The workspace’s API keys, newest first; never the keys themselves.
   *
   * Needs the access token of a person with the role admin or above.
   *
   * `GET /api/api-keys` (listApiKeys)
   */
  list(options?: CallOptions): ApiPromise<Array<ApiKeyRead>> {
    return this.#caller.json<Array<ApiKeyRead>>(operations.listApiKeys, {}, options);
  }

  /**
   * Revoke an API key immediately.
   *
   * Needs the access token of a person with the role admin or above.
   *
   * `DELETE /api/api-keys/{key_id}` (revokeApiKey)
   */
  revoke(keyId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.revokeApiKey, { path: [keyId] }, options);
  }

  /**
   * Replace an API key by another one with its scopes; the old one works until the grace is over.
   *
   * Needs the access token of a person with the role admin or above. A signed-in caller must have signed in within
   * the last ten minutes. The workspace’s owners are notified by mail.
   *
   * `POST /api/api-keys/{key_id}/rotate` (rotateApiKey)
   */
  rotate(keyId: string, body: ApiKeyRotate = {}, options?: CallOptions): ApiPromise<ApiKeyCreated> {
    return this.#caller.json<ApiKeyCreated>(operations.rotateApiKey, { path: [keyId], json: body }, options);
  }
}

/** Mail preferences. */
export class EmailPreferencesResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Each category of mail, and whether you are sent it.
   *
   * Needs an access token.
   *
   * `GET /api/email-preferences` (getEmailPreferences)
   */
  get(options?: CallOptions): ApiPromise<EmailPreferences> {
    return this.#caller.json<EmailPreferences>(operations.getEmailPreferences, {}, options);
  }

  /**
   * Turn categories of mail on or off. Mail about security and billing cannot be turned off.
   *
   * Needs an access token.
   *
   * `PUT /api/email-preferences` (updateEmailPreferences)
   */
  update(body: EmailPreferencesUpdate, options?: CallOptions): ApiPromise<EmailPreferences> {
    return this.#caller.json<EmailPreferences>(operations.updateEmailPreferences, { json: body }, options);
  }

  /**
   * Turn off the category of mail that the token is for, by one click and without signing in (RFC 8058).
   *
   * Needs no credentials.
   *
   * `POST /api/email-preferences/unsubscribe/{token}` (unsubscribe)
   */
  unsubscribe(token: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.unsubscribe, { path: [token] }, options);
  }
}

/** The service itself. */
export class MetaResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Liveness: whether the process runs; checks nothing else.
   *
   * Needs no credentials.
   *
   * `GET /api/health` (getHealth)
   */
  getHealth(options?: CallOptions): ApiPromise<HealthRead> {
    return this.#caller.json<HealthRead>(operations.getHealth, {}, options);
  }

  /**
   * Readiness: whether database and storage respond. Includes the workflow service, which the API can run without.
   *
   * Needs no credentials.
   *
   * `GET /api/health/ready` (getReadiness)
   */
  getReadiness(options?: CallOptions): ApiPromise<HealthRead> {
    return this.#caller.json<HealthRead>(operations.getReadiness, {}, options);
  }

  /**
   * Name, version, limits and scopes of this installation.
   *
   * Needs no credentials.
   *
   * `GET /api/meta` (getMeta)
   */
  get(options?: CallOptions): ApiPromise<MetaRead> {
    return this.#caller.json<MetaRead>(operations.getMeta, {}, options);
  }

  /**
   * Every API version with its changes and dates.
   *
   * Needs no credentials.
   *
   * `GET /api/meta/versions` (listApiVersions)
   */
  listApiVersions(options?: CallOptions): ApiPromise<Array<ApiVersionRead>> {
    return this.#caller.json<Array<ApiVersionRead>>(operations.listApiVersions, {}, options);
  }

  /**
   * The meaning of an error code, and how to fix it.
   *
   * Needs no credentials.
   *
   * `GET /errors/{code}` (getErrorPage)
   */
  getErrorPage(code: string, options?: CallOptions): ApiPromise<ErrorPage> {
    return this.#caller.json<ErrorPage>(operations.getErrorPage, { path: [code] }, options);
  }

  /**
   * The OpenAPI document of this API, as the version of the request has it.
   *
   * Needs no credentials.
   *
   * `GET /openapi.json` (getOpenApi)
   */
  getOpenApi(options?: CallOptions): ApiPromise<Record<string, unknown>> {
    return this.#caller.json<Record<string, unknown>>(operations.getOpenApi, {}, options);
  }
}

/** Every resource of the API. */
export abstract class Resources {
  /** User accounts: signing in and its methods. */
  readonly auth: AuthResource;
  /** Assistants and their configuration. */
  readonly bots: BotsResource;
  /** Free times of the workspace’s calendar, and the meetings that are booked. */
  readonly bookings: BookingsResource;
  /** Saved configurations of bots, and restoring them. */
  readonly versions: VersionsResource;
  /** Operations that the widget on a customer’s page calls. */
  readonly widget: WidgetResource;
  /** Choices that lead visitors to a link. */
  readonly directory: DirectoryResource;
  /** Documents that bots answer from. */
  readonly knowledge: KnowledgeResource;
  /** Conversations between visitors and bots. */
  readonly conversations: ConversationsResource;
  /** Visitors with known contact details. */
  readonly contacts: ContactsResource;
  /** Conversations that wait for a person, or that one has. */
  readonly inbox: InboxResource;
  /** Outcomes of conversations, and visitors’ questions. */
  readonly analytics: AnalyticsResource;
  /** Conversations that bots lead by plan. */
  readonly flows: FlowsResource;
  /** Usage of the plan by workspaces and their bots. */
  readonly usage: UsageResource;
  /** Calls by clients of the MCP server. */
  readonly toolInvocations: ToolInvocationsResource;
  /** Alerts about events, sent to messaging apps. */
  readonly alerts: AlertsResource;
  /** Exports of conversations as archives, and imports of them. */
  readonly archive: ArchiveResource;
  /** Signed events for customers’ servers. */
  readonly webhooks: WebhooksResource;
  /** Plans, subscriptions, payments and receipts. */
  readonly billing: BillingResource;
  /** Encryption of content, and who owns the key. */
  readonly encryption: EncryptionResource;
  /** Workspaces, their hierarchy, and the audit log. */
  readonly orgs: OrgsResource;
  /** The people of a workspace, and who is invited. */
  readonly members: MembersResource;
  /** Keys that programs call with. */
  readonly apiKeys: ApiKeysResource;
  /** Mail preferences. */
  readonly emailPreferences: EmailPreferencesResource;
  /** The service itself. */
  readonly meta: MetaResource;

  constructor(caller: Caller) {
    this.auth = new AuthResource(caller);
    this.bots = new BotsResource(caller);
    this.bookings = new BookingsResource(caller);
    this.versions = new VersionsResource(caller);
    this.widget = new WidgetResource(caller);
    this.directory = new DirectoryResource(caller);
    this.knowledge = new KnowledgeResource(caller);
    this.conversations = new ConversationsResource(caller);
    this.contacts = new ContactsResource(caller);
    this.inbox = new InboxResource(caller);
    this.analytics = new AnalyticsResource(caller);
    this.flows = new FlowsResource(caller);
    this.usage = new UsageResource(caller);
    this.toolInvocations = new ToolInvocationsResource(caller);
    this.alerts = new AlertsResource(caller);
    this.archive = new ArchiveResource(caller);
    this.webhooks = new WebhooksResource(caller);
    this.billing = new BillingResource(caller);
    this.encryption = new EncryptionResource(caller);
    this.orgs = new OrgsResource(caller);
    this.members = new MembersResource(caller);
    this.apiKeys = new ApiKeysResource(caller);
    this.emailPreferences = new EmailPreferencesResource(caller);
    this.meta = new MetaResource(caller);
  }
}
