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

/** Accounts of people: signing in, and what they sign in with. */
export class AuthResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Where you are signed in, what was used last first.
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
   * Go on in another workspace, with the refresh token or within minutes of signing in; the tokens before stay
   * good for the one before.
   *
   * Needs an access token. Somebody who is signed in must have done so within the last ten minutes, unless the
   * body has the refresh token.
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
   * Close your account; all its sessions and API keys stop at once.
   *
   * Needs an access token. Somebody who is signed in must have done so within the last ten minutes, unless the
   * body shows whose account it is.
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
   * Whoever calls: the person, the workspace and the role there, and the API key with its scopes.
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
   * Start an account and its first workspace, to be confirmed by mail before anybody signs in; the same answer
   * when the address is taken.
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
   * Set a new password with the link’s token; all sessions end, API keys and linked identities if you say so, and
   * a second factor stays on. The answer tells what else is still good.
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
   * Needs an access token. The workspace’s owners are mailed about it.
   *
   * `POST /api/auth/mfa/activate` (activateMfa)
   */
  activateMfa(body: MfaActivateRequest, options?: CallOptions): ApiPromise<MfaCodesResponse> {
    return this.#caller.json<MfaCodesResponse>(operations.activateMfa, { json: body }, options);
  }

  /**
   * Turn the second factor off with the password, or a fresh sign-in where there is none, and a code; all other
   * sessions end.
   *
   * Needs an access token. Somebody who is signed in must have done so within the last ten minutes, unless the
   * body shows whose account it is. The workspace’s owners are mailed about it.
   *
   * `POST /api/auth/mfa/disable` (disableMfa)
   */
  disableMfa(body: MfaDisableRequest, options?: CallOptions): ApiPromise<MfaStatus> {
    return this.#caller.json<MfaStatus>(operations.disableMfa, { json: body }, options);
  }

  /**
   * Whether the second factor is on or being set up, and how many recovery codes are left.
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
   * Needs an access token. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `POST /api/auth/mfa/recovery-codes` (regenerateRecoveryCodes)
   */
  regenerateRecoveryCodes(body: MfaActivateRequest, options?: CallOptions): ApiPromise<MfaCodesResponse> {
    return this.#caller.json<MfaCodesResponse>(operations.regenerateRecoveryCodes, { json: body }, options);
  }

  /**
   * Begin to set up an authenticator app; its secret is shown once, and replaces one that is pending.
   *
   * Needs an access token. Somebody who is signed in must have done so within the last ten minutes.
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
   * Needs an access token. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
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
   * Needs an access token. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
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
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `POST /api/bots` (createBot)
   */
  create(body: BotCreate, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.createBot, { json: body }, options);
  }

  /**
   * A page of the workspace’s bots, newest first.
   *
   * Needs an API key with the scope `bots:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/bots` (listBots)
   */
  list(query: BotsListQuery = {}, options?: CallOptions): PagePromise<BotRead, Page<BotRead>> {
    return this.#caller.pages<BotRead>(operations.listBots, { query }, options);
  }

  /**
   * Hide the bot at once, then remove its documents and conversations in the background.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `DELETE /api/bots/{bot_id}` (deleteBot)
   */
  delete(botId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteBot, { path: [botId] }, options);
  }

  /**
   * One bot.
   *
   * Needs an API key with the scope `bots:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}` (getBot)
   */
  get(botId: string, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.getBot, { path: [botId] }, options);
  }

  /**
   * Change a bot; only the keys present are applied.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `PATCH /api/bots/{bot_id}` (updateBot)
   */
  update(botId: string, body: BotUpdate = {}, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.updateBot, { path: [botId], json: body }, options);
  }

  /**
   * The snippet that puts the widget on a page, the domains it will run on, and what visitors’ identities are
   * signed with.
   *
   * Needs an API key with the scope `bots:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
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
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
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
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `POST /api/bots/{bot_id}/duplicate` (duplicateBot)
   */
  duplicate(botId: string, body: BotDuplicateRequest = {}, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.duplicateBot, { path: [botId], json: body }, options);
  }

  /**
   * Show the bot with a PNG, WebP or JPEG image; its address becomes avatar_url in widget_theme.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/theme/avatar` (uploadBotAvatar)
   */
  uploadAvatar(botId: string, file: Upload, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.uploadBotAvatar, { path: [botId], upload: { field: 'file', file: file, fields: {} } }, options);
  }

  /**
   * Models that a bot can use, with their limits; a custom endpoint names its own.
   *
   * Needs an API key with the scope `bots:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/models` (listModels)
   */
  listModels(options?: CallOptions): ApiPromise<Array<ModelDescriptor>> {
    return this.#caller.json<Array<ModelDescriptor>>(operations.listModels, {}, options);
  }

  /**
   * Make one minimal model call with the bot’s settings; a failure is also kept as last_error.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/provider/test` (testBotProvider)
   */
  testProvider(botId: string, options?: CallOptions): ApiPromise<ProviderTestResponse> {
    return this.#caller.json<ProviderTestResponse>(operations.testBotProvider, { path: [botId] }, options);
  }

  /**
   * Answer a test message with the saved or a changed configuration; nothing is written.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/playground` (tryBot)
   */
  try(botId: string, body: PlaygroundRequest, options?: CallOptions): ApiPromise<PlaygroundReply> {
    return this.#caller.json<PlaygroundReply>(operations.tryBot, { path: [botId], json: body }, options);
  }

  /**
   * Answer a test message with the saved or a changed configuration; nothing is written.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/playground` (tryBot)
   */
  tryStreaming(botId: string, body: PlaygroundRequest, options?: CallOptions): EventStream<PlaygroundEvent> {
    return this.#caller.stream<PlaygroundEvent>(operations.tryBotStreaming, { path: [botId], json: body }, { resume: 'never', lastEvents: ['done'] }, options);
  }
}

export interface BookingsCalendarCallbackQuery {
  /** What the attempt is known by; without it there is none. */
  state?: string | undefined;
  /** What the access is had for. */
  code?: string | undefined;
  /** Why there is none. */
  error?: string | undefined;
}

export interface BookingsCreateQuery {
  /** The attendee’s time zone, which mails to the attendee tell the time in; none by default. */
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
  /** What `local_start` is told in; the calendar’s time zone by default. */
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
  /** The attendee’s time zone, which mails to the attendee tell the time in; none by default. */
  timezone?: string | undefined;
}

export interface BookingsListWidgetSlotsQuery {
  /** Slots that begin then or later; now by default. */
  from?: string | undefined;
  /** Slots that begin before it: 31 days (and the hour of a 25-hour day) later at most; a week later by default. */
  to?: string | undefined;
  /** What `local_start` is told in; the calendar’s time zone by default. */
  timezone?: string | undefined;
}

/** Free times of the workspace’s calendar, and the meetings that are booked. */
export class BookingsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Where a provider sends the browser back to: connects the calendar, and goes on to the console.
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
   * Needs an API key with the scope `bookings:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/calendar/{provider}/connect` (connectCalendar)
   */
  connectCalendar(provider: string, options?: CallOptions): ApiPromise<ConnectResponse> {
    return this.#caller.json<ConnectResponse>(operations.connectCalendar, { path: [provider] }, options);
  }

  /**
   * Disconnect the calendar: its access is given up and forgotten; bookings stay, and can be cancelled.
   *
   * Needs an API key with the scope `bookings:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `DELETE /api/calendar/connection` (disconnectCalendar)
   */
  disconnectCalendar(options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.disconnectCalendar, {}, options);
  }

  /**
   * The workspace’s calendar: its provider, settings and health.
   *
   * Needs an API key with the scope `bookings:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/calendar/connection` (getCalendarConnection)
   */
  getCalendarConnection(options?: CallOptions): ApiPromise<CalendarConnectionRead> {
    return this.#caller.json<CalendarConnectionRead>(operations.getCalendarConnection, {}, options);
  }

  /**
   * The calendars of the connected account, to choose from; none where there is no provider.
   *
   * Needs an API key with the scope `bookings:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/calendar/calendars` (listCalendars)
   */
  listCalendars(options?: CallOptions): ApiPromise<Array<CalendarDescriptor>> {
    return this.#caller.json<Array<CalendarDescriptor>>(operations.listCalendars, {}, options);
  }

  /**
   * Cancel a meeting that has not begun, and tell the attendee; one that is cancelled stays so.
   *
   * Needs an API key with the scope `bookings:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/bookings/{booking_id}/cancel` (cancelBooking)
   */
  cancel(bookingId: string, options?: CallOptions): ApiPromise<BookingRead> {
    return this.#caller.json<BookingRead>(operations.cancelBooking, { path: [bookingId] }, options);
  }

  /**
   * Book a slot that is free, and mail the attendee a confirmation; the calendar follows.
   *
   * Needs an API key with the scope `bookings:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/bookings` (createBooking)
   */
  create(body: BookRequest, query: BookingsCreateQuery = {}, options?: CallOptions): ApiPromise<BookingRead> {
    return this.#caller.json<BookingRead>(operations.createBooking, { json: body, query }, options);
  }

  /**
   * Bookings that begin within a range, by their start; 5,000 at most.
   *
   * Needs an API key with the scope `bookings:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/bookings` (listBookings)
   */
  list(query: BookingsListQuery = {}, options?: CallOptions): ApiPromise<Array<BookingRead>> {
    return this.#caller.json<Array<BookingRead>>(operations.listBookings, { query }, options);
  }

  /**
   * One booking.
   *
   * Needs an API key with the scope `bookings:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
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
   * Needs an API key with the scope `bookings:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/bookings/slots` (listBookingSlots)
   */
  listSlots(query: BookingsListSlotsQuery = {}, options?: CallOptions): ApiPromise<Array<BookingSlot>> {
    return this.#caller.json<Array<BookingSlot>>(operations.listBookingSlots, { query }, options);
  }

  /**
   * Change when meetings can be booked; only the keys present are applied, null sets the default. A workspace
   * without a calendar takes bookings from then on.
   *
   * Needs an API key with the scope `bookings:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `PATCH /api/calendar/settings` (updateCalendarSettings)
   */
  updateCalendarSettings(body: ConnectionSettings = {}, options?: CallOptions): ApiPromise<CalendarConnectionRead> {
    return this.#caller.json<CalendarConnectionRead>(operations.updateCalendarSettings, { json: body }, options);
  }

  /**
   * Book a free slot for the visitor: name and address come from the contact where they are left out. The same
   * session gets the same booking again.
   *
   * Needs the visitor token of the session.
   *
   * `POST /api/public/sessions/{session_id}/bookings` (createWidgetBooking)
   */
  createWidgetBooking(sessionId: string, body: BookRequest, query: BookingsCreateWidgetBookingQuery = {}, options?: CallOptions): ApiPromise<BookingRead> {
    return this.#caller.json<BookingRead>(operations.createWidgetBooking, { path: [sessionId], json: body, query }, options);
  }

  /**
   * Times that visitors of an active bot can book, for a page among its allowed_domains; the first 1,000. Further
   * ones are those `from` after the start of the last.
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
  /** Only versions with lower numbers: the last number of the list before. */
  before?: number | undefined;
}

/** What bots were, and going back to it. */
export class VersionsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * One version.
   *
   * Needs an API key with the scope `bots:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}/versions/{version}` (getBotVersion)
   */
  get(botId: string, version: number, options?: CallOptions): ApiPromise<BotVersionRead> {
    return this.#caller.json<BotVersionRead>(operations.getBotVersion, { path: [botId, version] }, options);
  }

  /**
   * What the bot was, newest first.
   *
   * Needs an API key with the scope `bots:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}/versions` (listBotVersions)
   */
  list(botId: string, query: VersionsListQuery = {}, options?: CallOptions): PagePromise<BotVersionRead, ListPage<BotVersionRead>> {
    return this.#caller.keyset<BotVersionRead>(operations.listBotVersions, { path: [botId], query }, { parameter: 'before', field: 'version', defaultLimit: 50 }, options);
  }

  /**
   * Keep the present configuration as the next version.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/versions` (saveBotVersion)
   */
  save(botId: string, body: BotVersionCreate = {}, options?: CallOptions): ApiPromise<BotVersionRead> {
    return this.#caller.json<BotVersionRead>(operations.saveBotVersion, { path: [botId], json: body }, options);
  }

  /**
   * Make the bot what it was, once the present configuration is kept as a version. Status and the provider’s key
   * stay; the secret of an endpoint stays where the endpoint’s server does.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `POST /api/bots/{bot_id}/versions/{version}/restore` (restoreBotVersion)
   */
  restore(botId: string, version: number, options?: CallOptions): ApiPromise<BotRead> {
    return this.#caller.json<BotRead>(operations.restoreBotVersion, { path: [botId, version] }, options);
  }
}

export interface WidgetListMessagesQuery {
  /** Only messages after this one. */
  after?: string | undefined;
  /** The last messages before this one instead of the first ones, or the last ones of all (end); still in order. */
  before?: string | undefined;
  /** Messages at most. */
  limit?: number | undefined;
}

/** What the widget on a customer’s page calls. */
export class WidgetResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The avatar of a bot, which browsers may keep.
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
   * What the widget of an active bot shows, for a page among its allowed_domains.
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
   * Rate the conversation; a later rating takes the place of an earlier one.
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
   * Say whether contact details may be stored; a refusal takes back those that are.
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
   * Hear of handoffs, messages of the team and the end of the session as they happen.
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
   * Needs an API key with the scope `bots:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}/directory` (getBotDirectory)
   */
  get(botId: string, options?: CallOptions): ApiPromise<DirectoryConfig> {
    return this.#caller.json<DirectoryConfig>(operations.getBotDirectory, { path: [botId] }, options);
  }

  /**
   * Replace the whole directory; what the body leaves out gets its default.
   *
   * Needs an API key with the scope `bots:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `PUT /api/bots/{bot_id}/directory` (replaceBotDirectory)
   */
  replace(botId: string, body: DirectoryConfig = {}, options?: CallOptions): ApiPromise<DirectoryConfig> {
    return this.#caller.json<DirectoryConfig>(operations.replaceBotDirectory, { path: [botId], json: body }, options);
  }

  /**
   * The link of a choice in the directory of an active bot, for a page among its allowed_domains. With a visitor
   * token (Authorization: Bearer) the choice is kept with the visitor’s details.
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
  /** Where the content comes from. */
  source_type?: 'url' | 'raw_text' | 'sitemap' | 'file' | undefined;
  /** One of its tags. */
  tag?: string | undefined;
  /** Only the pages of this sitemap source; `none` for what is no page of any. */
  parent_id?: string | undefined;
  /** Part of the title, the file name or the URL. */
  q?: string | undefined;
}

export interface KnowledgeUploadFields {
  /** Empty for the one that the file gives itself. */
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
   * Needs an API key with the scope `knowledge:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge` (createDocument)
   */
  create(botId: string, body: DocumentCreate, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.createDocument, { path: [botId], json: body }, options);
  }

  /**
   * A page of the bot’s documents, newest first.
   *
   * Needs an API key with the scope `knowledge:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge` (listDocuments)
   */
  list(botId: string, query: KnowledgeListQuery = {}, options?: CallOptions): PagePromise<DocumentRead, Page<DocumentRead>> {
    return this.#caller.pages<DocumentRead>(operations.listDocuments, { path: [botId], query }, options);
  }

  /**
   * Remove a document, a sitemap’s pages too, from all answers at once, then its original.
   *
   * Needs an API key with the scope `knowledge:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `DELETE /api/bots/{bot_id}/knowledge/{document_id}` (deleteDocument)
   */
  delete(botId: string, documentId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteDocument, { path: [botId, documentId] }, options);
  }

  /**
   * One document.
   *
   * Needs an API key with the scope `knowledge:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge/{document_id}` (getDocument)
   */
  get(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.getDocument, { path: [botId, documentId] }, options);
  }

  /**
   * Change a document’s title, tags or refresh without indexing it again.
   *
   * Needs an API key with the scope `knowledge:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
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
   * A fresh short-lived link to the original; 404 when there is none.
   *
   * Needs an API key with the scope `knowledge:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge/{document_id}/download` (getDocumentDownload)
   */
  getDownload(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentDownload> {
    return this.#caller.json<DocumentDownload>(operations.getDocumentDownload, { path: [botId, documentId] }, options);
  }

  /**
   * How far the indexing is: a cheap poll until the status is final.
   *
   * Needs an API key with the scope `knowledge:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/bots/{bot_id}/knowledge/{document_id}/status` (getDocumentStatus)
   */
  getStatus(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentStatusRead> {
    return this.#caller.json<DocumentStatusRead>(operations.getDocumentStatus, { path: [botId, documentId] }, options);
  }

  /**
   * Fetch the source again, or read the original again, and index it anew.
   *
   * Needs an API key with the scope `knowledge:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge/{document_id}/reindex` (reindexDocument)
   */
  reindex(botId: string, documentId: string, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.reindexDocument, { path: [botId, documentId] }, options);
  }

  /**
   * Store a document and start to index it: PDF, DOCX, XLSX, PPTX, ODT, EPUB, HTML, Markdown, text or CSV.
   *
   * Needs an API key with the scope `knowledge:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge/upload` (uploadDocument)
   */
  upload(botId: string, file: Upload, fields: KnowledgeUploadFields = {}, options?: CallOptions): ApiPromise<DocumentRead> {
    return this.#caller.json<DocumentRead>(operations.uploadDocument, { path: [botId], upload: { field: 'file', file: file, fields } }, options);
  }

  /**
   * The best chunks with scores and citations, as the bot itself would see them.
   *
   * Needs an API key with the scope `knowledge:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/bots/{bot_id}/knowledge/search` (searchKnowledge)
   */
  search(botId: string, body: KnowledgeSearchRequest, options?: CallOptions): ApiPromise<KnowledgeSearchResponse> {
    return this.#caller.json<KnowledgeSearchResponse>(operations.searchKnowledge, { path: [botId], json: body }, options);
  }
}

export interface ConversationsListMessagesQuery {
  /** Only messages after this one. */
  after?: string | undefined;
  /** The last messages before this one instead of the first ones, or the last ones of all (end); still in order. */
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
   * Whether the team has marked them as resolved. Sessions in which the visitor said nothing are included, unless
   * has_visitor_message excludes them as analytics do.
   */
  resolved?: boolean | undefined;
  /**
   * Whether the visitor has said something. `true` lists what analytics count as conversations, `false` sessions
   * in which the visitor said nothing; by default both are listed.
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
   * Newest first by when they began, or by when something was said last; one in which something is said meanwhile
   * moves to the top.
   */
  sort?: 'started' | 'last_message' | undefined;
}

export interface ConversationsGetTranscriptQuery {
  /** The kind of file; without it the Accept header decides. */
  format?: 'txt' | 'csv' | 'json' | undefined;
}

/** What visitors and bots have said. */
export class ConversationsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Resolve, reopen or delete up to 200 conversations; each id reports for itself.
   *
   * Needs an API key with the scope `conversations:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/conversations/bulk` (bulkUpdateConversations)
   */
  bulkUpdate(body: BulkConversationUpdate, options?: CallOptions): ApiPromise<BulkResponse> {
    return this.#caller.json<BulkResponse>(operations.bulkUpdateConversations, { json: body }, options);
  }

  /**
   * Delete a conversation and its messages.
   *
   * Needs an API key with the scope `conversations:write`, made by somebody with the role admin or above, or the
   * access token of somebody with that role.
   *
   * `DELETE /api/conversations/{conversation_id}` (deleteConversation)
   */
  delete(conversationId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteConversation, { path: [conversationId] }, options);
  }

  /**
   * One conversation with its messages and token totals.
   *
   * Needs an API key with the scope `conversations:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/conversations/{conversation_id}` (getConversation)
   */
  get(conversationId: string, options?: CallOptions): ApiPromise<ConversationDetail> {
    return this.#caller.json<ConversationDetail>(operations.getConversation, { path: [conversationId] }, options);
  }

  /**
   * Read a conversation again: contact fields as the bot declares them now, title, summary, sentiment.
   *
   * Needs an API key with the scope `conversations:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/conversations/{conversation_id}/extract` (extractConversationFields)
   */
  extractFields(conversationId: string, options?: CallOptions): ApiPromise<ConversationRead> {
    return this.#caller.json<ConversationRead>(operations.extractConversationFields, { path: [conversationId] }, options);
  }

  /**
   * Messages in order; `after` reads on in long threads, `before` reads back.
   *
   * Needs an API key with the scope `conversations:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/conversations/{conversation_id}/messages` (listConversationMessages)
   */
  listMessages(conversationId: string, query: ConversationsListMessagesQuery = {}, options?: CallOptions): PagePromise<MessageRead, ListPage<MessageRead>> {
    return this.#caller.keyset<MessageRead>(operations.listConversationMessages, { path: [conversationId], query }, { parameter: 'after', field: 'id', defaultLimit: 100 }, options);
  }

  /**
   * A page of the workspace’s conversations, newest first.
   *
   * Needs an API key with the scope `conversations:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/conversations` (listConversations)
   */
  list(query: ConversationsListQuery = {}, options?: CallOptions): PagePromise<ConversationRead, Page<ConversationRead>> {
    return this.#caller.pages<ConversationRead>(operations.listConversations, { query }, options);
  }

  /**
   * Take back that a conversation is resolved or has ended, so that the visitor can go on.
   *
   * Needs an API key with the scope `conversations:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/conversations/{conversation_id}/reopen` (reopenConversation)
   */
  reopen(conversationId: string, options?: CallOptions): ApiPromise<ConversationRead> {
    return this.#caller.json<ConversationRead>(operations.reopenConversation, { path: [conversationId] }, options);
  }

  /**
   * Mark a conversation resolved and take it out of the inbox.
   *
   * Needs an API key with the scope `conversations:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `POST /api/conversations/{conversation_id}/resolve` (resolveConversation)
   */
  resolve(conversationId: string, options?: CallOptions): ApiPromise<ConversationRead> {
    return this.#caller.json<ConversationRead>(operations.resolveConversation, { path: [conversationId] }, options);
  }

  /**
   * Everything that was said in a conversation, as text, CSV or JSON.
   *
   * Needs an API key with the scope `conversations:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
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
  /** Whether they have left contact details. */
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
  /** Whether they have left contact details. */
  is_lead?: boolean | undefined;
  /** One of their tags. */
  tag?: string | undefined;
  /** ISO 3166 code of their country. */
  country?: string | undefined;
  /** Part of the name, the e-mail address, the phone number, the visitor id or the identity. */
  q?: string | undefined;
}

/** Visitors whose details are known. */
export class ContactsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Remove a person: the contact and all conversations at once, then their copies in the webhooks’ log and stored
   * answers.
   *
   * Needs an API key with the scope `contacts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/contacts/{contact_id}/erase` (eraseContact)
   */
  erase(contactId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.eraseContact, { path: [contactId] }, options);
  }

  /**
   * All contacts that fit the filters, as a CSV file.
   *
   * Needs an API key with the scope `contacts:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `GET /api/contacts/export` (exportContacts)
   */
  export(query: ContactsExportQuery = {}, options?: CallOptions): ApiPromise<string> {
    return this.#caller.text(operations.exportContacts, { query }, options);
  }

  /**
   * One contact.
   *
   * Needs an API key with the scope `contacts:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/contacts/{contact_id}` (getContact)
   */
  get(contactId: string, options?: CallOptions): ApiPromise<ContactRead> {
    return this.#caller.json<ContactRead>(operations.getContact, { path: [contactId] }, options);
  }

  /**
   * Change a contact; only the keys present are applied. No details of one who has refused consent.
   *
   * Needs an API key with the scope `contacts:write`, made by somebody with the role member or above, or the
   * access token of somebody with that role.
   *
   * `PATCH /api/contacts/{contact_id}` (updateContact)
   */
  update(contactId: string, body: ContactUpdate = {}, options?: CallOptions): ApiPromise<ContactRead> {
    return this.#caller.json<ContactRead>(operations.updateContact, { path: [contactId], json: body }, options);
  }

  /**
   * A page of the workspace’s contacts, newest first.
   *
   * Needs an API key with the scope `contacts:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
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
  /** Handoffs that this member has, by id; that the caller has (me); or nobody (none). */
  assigned_to?: string | undefined;
}

/** Conversations that wait for a person, or that one has. */
export class InboxResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Give a handoff to a member, be it the caller, or to nobody.
   *
   * Needs an API key with the scope `inbox:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/inbox/{conversation_id}/assign` (assignInboxItem)
   */
  assign(conversationId: string, body: InboxAssignRequest, options?: CallOptions): ApiPromise<InboxItem> {
    return this.#caller.json<InboxItem>(operations.assignInboxItem, { path: [conversationId], json: body }, options);
  }

  /**
   * Take a conversation that nobody of the team has, be it waiting or with the bot.
   *
   * Needs an API key with the scope `inbox:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/inbox/{conversation_id}/claim` (claimInboxItem)
   */
  claim(conversationId: string, options?: CallOptions): ApiPromise<InboxItem> {
    return this.#caller.json<InboxItem>(operations.claimInboxItem, { path: [conversationId] }, options);
  }

  /**
   * A page of the conversations that a person is asked for or has, the longest waiting first.
   *
   * Needs an API key with the scope `inbox:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/inbox` (listInbox)
   */
  list(query: InboxListQuery = {}, options?: CallOptions): PagePromise<InboxItem, Page<InboxItem>> {
    return this.#caller.pages<InboxItem>(operations.listInbox, { query }, options);
  }

  /**
   * End the handoff: the bot answers again.
   *
   * Needs an API key with the scope `inbox:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/inbox/{conversation_id}/release` (releaseInboxItem)
   */
  release(conversationId: string, options?: CallOptions): ApiPromise<InboxItem> {
    return this.#caller.json<InboxItem>(operations.releaseInboxItem, { path: [conversationId] }, options);
  }

  /**
   * Say something to the visitor; a handoff that nobody has becomes the caller’s, and what a colleague has is to
   * be taken over first.
   *
   * Needs an API key with the scope `inbox:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/inbox/{conversation_id}/reply` (replyInboxItem)
   */
  reply(conversationId: string, body: InboxReplyRequest, options?: CallOptions): ApiPromise<MessageRead> {
    return this.#caller.json<MessageRead>(operations.replyInboxItem, { path: [conversationId], json: body }, options);
  }

  /**
   * Hear when a handoff arrives, changes hands, gets a message or is over.
   *
   * Needs an API key with the scope `inbox:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
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
  /** The last day (UTC), at most 92 with the first; today by default. */
  to?: string | undefined;
  /** Questions to this bot. */
  bot_id?: string | undefined;
  /** What comes first: what was unanswered most often, or asked. */
  sort?: 'unanswered' | 'asked' | undefined;
  /** How many questions. */
  limit?: number | undefined;
}

export interface AnalyticsGetOverviewQuery {
  /** The first moment, rounded down to a quarter of an hour; 30 days before `to` by default. */
  from?: string | undefined;
  /**
   * The first moment after the range, rounded down to a quarter of an hour, and at most 366 days (and the hour of
   * a 25-hour day) after `from`; by default the end of the quarter that has begun.
   */
  to?: string | undefined;
  /** Only conversations of this bot. */
  bot_id?: string | undefined;
  /** The time zone that `days` are of. */
  timezone: string;
}

/** How conversations go, and what visitors ask. */
export class AnalyticsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * What visitors ask most, and what bots could not answer: what the documents lack.
   *
   * Needs an API key with the scope `analytics:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/analytics/questions` (listTopQuestions)
   */
  listTopQuestions(query: AnalyticsListTopQuestionsQuery = {}, options?: CallOptions): ApiPromise<Array<QuestionCluster>> {
    return this.#caller.json<Array<QuestionCluster>>(operations.listTopQuestions, { query }, options);
  }

  /**
   * How the conversations that began in a range have gone, as they are now, with waiting times and latencies; of
   * one bot or of all.
   *
   * Needs an API key with the scope `analytics:read`, made by somebody with the role viewer or above, or the
   * access token of somebody with that role.
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
  /** Only flows that are active, or that are not. */
  is_active?: boolean | undefined;
  /** Flows at most: each has its whole graph. */
  limit?: number | undefined;
  /** Only flows that were made before this one: the last of the list before. */
  before?: string | undefined;
}

/** Conversations that bots lead by plan. */
export class FlowsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Let its trigger fire: of a flow that can run, and whose trigger no other active flow of the bot has. One that
   * is active stays as it is.
   *
   * Needs an API key with the scope `flows:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `POST /api/flows/{flow_id}/activate` (activateFlow)
   */
  activate(flowId: string, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.activateFlow, { path: [flowId] }, options);
  }

  /**
   * Save a new flow, which is not active; what is wrong with its graph names node and field.
   *
   * Needs an API key with the scope `flows:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/flows` (createFlow)
   */
  create(body: FlowSave, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.createFlow, { json: body }, options);
  }

  /**
   * The workspace’s flows with their graphs, newest first; at most 50 at once.
   *
   * Needs an API key with the scope `flows:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/flows` (listFlows)
   */
  list(query: FlowsListQuery = {}, options?: CallOptions): PagePromise<FlowRead, ListPage<FlowRead>> {
    return this.#caller.keyset<FlowRead>(operations.listFlows, { query }, { parameter: 'before', field: 'id', defaultLimit: 50 }, options);
  }

  /**
   * Stop its trigger; visitors who are in the flow finish it.
   *
   * Needs an API key with the scope `flows:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/flows/{flow_id}/deactivate` (deactivateFlow)
   */
  deactivate(flowId: string, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.deactivateFlow, { path: [flowId] }, options);
  }

  /**
   * Delete a flow that is not active.
   *
   * Needs an API key with the scope `flows:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `DELETE /api/flows/{flow_id}` (deleteFlow)
   */
  delete(flowId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteFlow, { path: [flowId] }, options);
  }

  /**
   * One flow with its graph.
   *
   * Needs an API key with the scope `flows:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/flows/{flow_id}` (getFlow)
   */
  get(flowId: string, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.getFlow, { path: [flowId] }, options);
  }

  /**
   * Replace a flow. A secret header without a value keeps the one that there is, while its node’s requests go to
   * the same server.
   *
   * Needs an API key with the scope `flows:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `PUT /api/flows/{flow_id}` (saveFlow)
   */
  save(flowId: string, body: FlowSave, options?: CallOptions): ApiPromise<FlowRead> {
    return this.#caller.json<FlowRead>(operations.saveFlow, { path: [flowId], json: body }, options);
  }

  /**
   * Walk the graph with what a visitor would say, and return the path: documents are searched, and nothing is
   * written or sent.
   *
   * Needs an API key with the scope `flows:write`, made by somebody with the role member or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/flows/{flow_id}/run` (testFlow)
   */
  test(flowId: string, body: FlowTestRequest = {}, options?: CallOptions): ApiPromise<FlowTestResponse> {
    return this.#caller.json<FlowTestResponse>(operations.testFlow, { path: [flowId], json: body }, options);
  }
}

export interface UsageGetQuery {
  /** A month of UTC until 9998-12; the present one by default. One that is to come has used nothing. */
  month?: string | undefined;
  /** Also of the workspaces below this one; for the workspace that pays, of those that were deleted as well. */
  include_children?: boolean | undefined;
}

export interface UsageListDailyQuery {
  /** The first day (UTC); 29 days before `to` by default. */
  from?: string | undefined;
  /** The last day (UTC), at most 366 with the first; today by default. */
  to?: string | undefined;
  /** What is told apart. Without it there is one row a day, also where nothing was used. */
  group_by?: 'bot' | 'model' | undefined;
  /** Only the usage of this bot, which may be deleted. */
  bot_id?: string | undefined;
  /** Also of the workspaces below this one; for the workspace that pays, of those that were deleted as well. */
  include_children?: boolean | undefined;
}

/** What workspaces and their bots have used of the plan. */
export class UsageResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Messages, tokens, cost and alerts of a month, documents, bots and seats as they are, and what the plan leaves.
   *
   * Needs an API key with the scope `usage:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/usage` (getUsage)
   */
  get(query: UsageGetQuery = {}, options?: CallOptions): ApiPromise<UsageSummary> {
    return this.#caller.json<UsageSummary>(operations.getUsage, { query }, options);
  }

  /**
   * Messages, tokens and cost day by day, of bots or models each by itself if you like.
   *
   * Needs an API key with the scope `usage:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
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
  /** Only calls that came to this. */
  outcome?: 'succeeded' | 'failed' | undefined;
}

/** What clients of the MCP server have called. */
export class ToolInvocationsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * The log of MCP tool calls, newest first: tool, key, outcome, duration; arguments are redacted.
   *
   * Needs an API key with the scope `tools:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
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

/** Who is told of what in a messaging app. */
export class AlertsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Make a link that ties a chat at Telegram to the workspace; whoever opens it has agreed.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/alerts/telegram/connect` (connectTelegram)
   */
  connectTelegram(options?: CallOptions): ApiPromise<AlertConnectResponse> {
    return this.#caller.json<AlertConnectResponse>(operations.connectTelegram, {}, options);
  }

  /**
   * Make a link that ties a chat at WhatsApp to the workspace; whoever opens it has agreed.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/alerts/whatsapp/connect` (connectWhatsapp)
   */
  connectWhatsapp(options?: CallOptions): ApiPromise<AlertConnectResponse> {
    return this.#caller.json<AlertConnectResponse>(operations.connectWhatsapp, {}, options);
  }

  /**
   * Remove a policy with what waits to be sent; the destination stays verified.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `DELETE /api/alerts/{policy_id}` (deleteAlertPolicy)
   */
  delete(policyId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteAlertPolicy, { path: [policyId] }, options);
  }

  /**
   * What a policy would send and cost in a month, by what has happened in the last 30 days. Nothing is stored.
   *
   * Needs an API key with the scope `alerts:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/alerts/estimate` (estimateAlertCost)
   */
  estimateCost(body: PolicyRequest, options?: CallOptions): ApiPromise<AlertEstimate> {
    return this.#caller.json<AlertEstimate>(operations.estimateAlertCost, { json: body }, options);
  }

  /**
   * Verify a destination by the code that it was sent: five tries, for ten minutes.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `POST /api/alerts/{policy_id}/verify` (finishAlertVerification)
   */
  finishVerification(policyId: string, body: AlertVerifyRequest, options?: CallOptions): ApiPromise<AlertPolicyRead> {
    return this.#caller.json<AlertPolicyRead>(operations.finishAlertVerification, { path: [policyId], json: body }, options);
  }

  /**
   * Who is told of what in a messaging app, newest first, with what went out today.
   *
   * Needs an API key with the scope `alerts:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
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
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `PUT /api/alerts` (saveAlertPolicy)
   */
  save(body: PolicyRequest, options?: CallOptions): ApiPromise<AlertPolicyRead> {
    return this.#caller.json<AlertPolicyRead>(operations.saveAlertPolicy, { json: body }, options);
  }

  /**
   * Tell whether a link into a chat at Telegram was opened, and which destination it gave.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/alerts/telegram/poll` (pollTelegram)
   */
  pollTelegram(body: AlertPollRequest, options?: CallOptions): ApiPromise<AlertConnectionState> {
    return this.#caller.json<AlertConnectionState>(operations.pollTelegram, { json: body }, options);
  }

  /**
   * Tell whether a link into a chat at WhatsApp was opened, and which destination it gave.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/alerts/whatsapp/poll` (pollWhatsapp)
   */
  pollWhatsapp(body: AlertPollRequest, options?: CallOptions): ApiPromise<AlertConnectionState> {
    return this.#caller.json<AlertConnectionState>(operations.pollWhatsapp, { json: body }, options);
  }

  /**
   * Send a code of six digits to a destination that is not verified, at most once a minute.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/alerts/{policy_id}/verify/start` (startAlertVerification)
   */
  startVerification(policyId: string, options?: CallOptions): ApiPromise<AlertVerificationStarted> {
    return this.#caller.json<AlertVerificationStarted>(operations.startAlertVerification, { path: [policyId] }, options);
  }

  /**
   * Send a sample the way alerts go, and tell what became of it; the daily cap does not count it.
   *
   * Needs an API key with the scope `alerts:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
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
   * Needs an API key with the scope `archive:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `POST /api/archive/export` (exportArchive)
   */
  export(body: ArchiveExportRequest = {}, options?: CallOptions): ApiPromise<ArchiveJobRead> {
    return this.#caller.json<ArchiveJobRead>(operations.exportArchive, { json: body }, options);
  }

  /**
   * A fresh short-lived link to a part of a finished export; 404 when its time is over.
   *
   * Needs an API key with the scope `archive:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `GET /api/archive/jobs/{job_id}/download` (getArchiveDownload)
   */
  getDownload(jobId: string, query: ArchiveGetDownloadQuery = {}, options?: CallOptions): ApiPromise<DocumentDownload> {
    return this.#caller.json<DocumentDownload>(operations.getArchiveDownload, { path: [jobId], query }, options);
  }

  /**
   * How far an export or import is, what came of it, and what could not be taken.
   *
   * Needs an API key with the scope `archive:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/archive/jobs/{job_id}` (getArchiveJob)
   */
  getJob(jobId: string, options?: CallOptions): ApiPromise<ArchiveJobRead> {
    return this.#caller.json<ArchiveJobRead>(operations.getArchiveJob, { path: [jobId] }, options);
  }

  /**
   * Take an archive and start to import what of it is not here; what is here stays as it is.
   *
   * Needs an API key with the scope `archive:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/archive/import` (importArchive)
   */
  import(file: Upload, options?: CallOptions): ApiPromise<ArchiveJobRead> {
    return this.#caller.json<ArchiveJobRead>(operations.importArchive, { upload: { field: 'file', file: file, fields: {} } }, options);
  }

  /**
   * Exports and imports of the last 30 days, newest first.
   *
   * Needs an API key with the scope `archive:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
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
  /** One delivery. */
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
   * Needs an API key with the scope `webhooks:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `POST /api/webhooks` (createWebhook)
   */
  create(body: WebhookCreate, options?: CallOptions): ApiPromise<WebhookCreated> {
    return this.#caller.json<WebhookCreated>(operations.createWebhook, { json: body }, options);
  }

  /**
   * The workspace’s endpoints, newest first.
   *
   * Needs an API key with the scope `webhooks:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/webhooks` (listWebhooks)
   */
  list(query: WebhooksListQuery = {}, options?: CallOptions): ApiPromise<Array<WebhookResponse>> {
    return this.#caller.json<Array<WebhookResponse>>(operations.listWebhooks, { query }, options);
  }

  /**
   * Remove an endpoint with its log; nothing is sent to it any more.
   *
   * Needs an API key with the scope `webhooks:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `DELETE /api/webhooks/{id}` (deleteWebhook)
   */
  delete(id: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteWebhook, { path: [id] }, options);
  }

  /**
   * One endpoint with its health.
   *
   * Needs an API key with the scope `webhooks:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/webhooks/{id}` (getWebhook)
   */
  get(id: string, options?: CallOptions): ApiPromise<WebhookResponse> {
    return this.#caller.json<WebhookResponse>(operations.getWebhook, { path: [id] }, options);
  }

  /**
   * Change an endpoint, or switch it off and on again.
   *
   * Needs an API key with the scope `webhooks:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `PATCH /api/webhooks/{id}` (updateWebhook)
   */
  update(id: string, body: WebhookUpdate = {}, options?: CallOptions): ApiPromise<WebhookResponse> {
    return this.#caller.json<WebhookResponse>(operations.updateWebhook, { path: [id], json: body }, options);
  }

  /**
   * The delivery log, newest first: what was sent, what came back, and why a retry waits.
   *
   * Needs an API key with the scope `webhooks:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/webhooks/deliveries` (listWebhookDeliveries)
   */
  listDeliveries(query: WebhooksListDeliveriesQuery = {}, options?: CallOptions): PagePromise<WebhookDeliveryResponse, Page<WebhookDeliveryResponse>> {
    return this.#caller.pages<WebhookDeliveryResponse>(operations.listWebhookDeliveries, { query }, options);
  }

  /**
   * All events that endpoints can subscribe to, each with a sample and its schema.
   *
   * Needs an API key with the scope `webhooks:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/webhooks/events` (listWebhookEvents)
   */
  listEvents(options?: CallOptions): ApiPromise<Array<EventDescriptor>> {
    return this.#caller.json<Array<EventDescriptor>>(operations.listWebhookEvents, {}, options);
  }

  /**
   * Replace the events that an endpoint wants.
   *
   * Needs an API key with the scope `webhooks:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `PUT /api/webhooks/{id}/events` (replaceWebhookEvents)
   */
  replaceEvents(id: string, body: EventsUpdate, options?: CallOptions): ApiPromise<WebhookResponse> {
    return this.#caller.json<WebhookResponse>(operations.replaceWebhookEvents, { path: [id], json: body }, options);
  }

  /**
   * Send a delivery again, as a new one that refers to it; the old one stays in the log.
   *
   * Needs an API key with the scope `webhooks:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/webhooks/deliveries/{delivery_id}/replay` (replayWebhookDelivery)
   */
  replayDelivery(deliveryId: string, options?: CallOptions): ApiPromise<WebhookDeliveryResponse> {
    return this.#caller.json<WebhookDeliveryResponse>(operations.replayWebhookDelivery, { path: [deliveryId] }, options);
  }

  /**
   * Replace the signing secret at once; the answer shows the new one this once.
   *
   * Needs an API key with the scope `webhooks:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. The workspace’s owners are mailed about it.
   *
   * `POST /api/webhooks/{id}/rotate-secret` (rotateWebhookSecret)
   */
  rotateSecret(id: string, options?: CallOptions): ApiPromise<RotateSecretResponse> {
    return this.#caller.json<RotateSecretResponse>(operations.rotateWebhookSecret, { path: [id] }, options);
  }

  /**
   * Send a sample to an endpoint, the way events go, and tell how the first attempt went.
   *
   * Needs an API key with the scope `webhooks:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/webhooks/{id}/test` (testWebhook)
   */
  test(id: string, options?: CallOptions): ApiPromise<WebhookTestResponse> {
    return this.#caller.json<WebhookTestResponse>(operations.testWebhook, { path: [id] }, options);
  }
}

export interface BillingListReceiptsQuery {
  /** How many at most. */
  limit?: number | undefined;
  /** Only receipts that come after this one in the list. */
  before?: string | undefined;
}

export interface BillingReceiveEventHeaders {
  /** The time and the signatures of the body, by the secret of the endpoint. */
  'Stripe-Signature'?: string | undefined;
}

/** Plans, what is booked and paid, and receipts. */
export class BillingResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Have the subscription end with the paid period. A checkout of any tier before then takes it back.
   *
   * Needs the access token of somebody with the role owner or above.
   *
   * `POST /api/billing/subscription/cancel` (cancelSubscription)
   */
  cancelSubscription(options?: CallOptions): ApiPromise<SubscriptionRead> {
    return this.#caller.json<SubscriptionRead>(operations.cancelSubscription, {}, options);
  }

  /**
   * Make a hosted checkout for a tier or a top-up, or give the one that is open for it. A cancelled subscription
   * goes on by a checkout of its tier; then there is nothing to pay.
   *
   * Needs the access token of somebody with the role owner or above.
   *
   * `POST /api/billing/checkout` (createCheckout)
   */
  createCheckout(body: CheckoutRequest, options?: CallOptions): ApiPromise<CheckoutResponse> {
    return this.#caller.json<CheckoutResponse>(operations.createCheckout, { json: body }, options);
  }

  /**
   * The file of a receipt, with the addressee of the day on which it was issued.
   *
   * Needs an API key with the scope `billing:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/billing/receipts/{receipt_id}/download` (downloadReceipt)
   */
  downloadReceipt(receiptId: string, options?: CallOptions): ApiPromise<Response> {
    return this.#caller.binary(operations.downloadReceipt, { path: [receiptId] }, options);
  }

  /**
   * Whom receipts are addressed to.
   *
   * Needs an API key with the scope `billing:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/billing/profile` (getBillingProfile)
   */
  getProfile(options?: CallOptions): ApiPromise<BillingProfileRead> {
    return this.#caller.json<BillingProfileRead>(operations.getBillingProfile, {}, options);
  }

  /**
   * Save whom later receipts are addressed to; those that were issued stay as they are.
   *
   * Needs the access token of somebody with the role owner or above. The workspace’s owners are mailed about it.
   *
   * `PUT /api/billing/profile` (saveBillingProfile)
   */
  saveProfile(body: BillingProfileIn = {}, options?: CallOptions): ApiPromise<BillingProfileRead> {
    return this.#caller.json<BillingProfileRead>(operations.saveBillingProfile, { json: body }, options);
  }

  /**
   * The plan of the workspace: its limits, until when it is paid, and what is left of top-ups.
   *
   * Needs an API key with the scope `billing:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/billing/subscription` (getSubscription)
   */
  getSubscription(options?: CallOptions): ApiPromise<SubscriptionRead> {
    return this.#caller.json<SubscriptionRead>(operations.getSubscription, {}, options);
  }

  /**
   * What can be bought: tiers with their limits, and top-ups; nothing where there is no payment provider.
   *
   * Needs an API key with the scope `billing:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/billing/plans` (listPlans)
   */
  listPlans(options?: CallOptions): ApiPromise<Array<PlanRead>> {
    return this.#caller.json<Array<PlanRead>>(operations.listPlans, {}, options);
  }

  /**
   * What was paid, newest first; only the workspace that pays has any.
   *
   * Needs an API key with the scope `billing:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/billing/receipts` (listReceipts)
   */
  listReceipts(query: BillingListReceiptsQuery = {}, options?: CallOptions): PagePromise<ReceiptRead, ListPage<ReceiptRead>> {
    return this.#caller.keyset<ReceiptRead>(operations.listReceipts, { query }, { parameter: 'before', field: 'id', defaultLimit: 50 }, options);
  }

  /**
   * What the payment provider calls: each event has somebody ask it what is so, once. Nothing that the event says
   * is taken over.
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
  /** Tell the consequences of this mode in place of the present one’s. */
  mode?: 'platform' | 'tenant' | undefined;
}

/** Whose key content is sealed with. */
export class EncryptionResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * How the workspace’s content is sealed, and what that means; or what another mode would mean.
   *
   * Needs an API key with the scope `encryption:read`, made by somebody with the role admin or above, or the
   * access token of somebody with that role.
   *
   * `GET /api/encryption` (getEncryption)
   */
  get(query: EncryptionGetQuery = {}, options?: CallOptions): ApiPromise<EncryptionState> {
    return this.#caller.json<EncryptionState>(operations.getEncryption, { query }, options);
  }

  /**
   * Choose whose key content is sealed with. What is there is sealed, or opened, in the background. The mode
   * tenant needs settings.key_service of the workspace.
   *
   * Needs the access token of somebody with the role owner or above. Somebody who is signed in must have done so
   * within the last ten minutes. The workspace’s owners are mailed about it.
   *
   * `PUT /api/encryption` (setEncryption)
   */
  set(body: EncryptionUpdate, options?: CallOptions): ApiPromise<EncryptionState> {
    return this.#caller.json<EncryptionState>(operations.setEncryption, { json: body }, options);
  }

  /**
   * Make a new key of the workspace. The present one is retired in the background.
   *
   * Needs the access token of somebody with the role owner or above. Somebody who is signed in must have done so
   * within the last ten minutes. The workspace’s owners are mailed about it.
   *
   * `POST /api/encryption/rotate` (rotateEncryptionKey)
   */
  rotate(options?: CallOptions): ApiPromise<EncryptionState> {
    return this.#caller.json<EncryptionState>(operations.rotateEncryptionKey, {}, options);
  }
}

export interface OrgsListAuditEventsQuery {
  /** Only what this person did. */
  user_id?: string | undefined;
  /** Only what was done with this API key. */
  key_id?: string | undefined;
  /** Only this operation. */
  operation?: string | undefined;
  /** Only things of this kind. */
  resource_type?: string | undefined;
  /** Only this thing. */
  resource_id?: string | undefined;
  /** At this time or later. */
  since?: string | undefined;
  /** Earlier than this: a time, or the id of an event. */
  before?: string | undefined;
  /** The most events to answer with. */
  limit?: number | undefined;
}

/** Workspaces, those below them, and who has done what in them. */
export class OrgsResource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Create a client workspace below this one, at most five levels deep; the caller owns it.
   *
   * Needs an API key with the scope `org:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `POST /api/orgs/{org_id}/children` (createChildOrg)
   */
  createChild(orgId: string, body: OrgCreate, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.createChildOrg, { path: [orgId], json: body }, options);
  }

  /**
   * Create a workspace with none above it; the caller owns it.
   *
   * Needs an access token.
   *
   * `POST /api/orgs` (createOrg)
   */
  create(body: OrgCreate, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.createOrg, { json: body }, options);
  }

  /**
   * The workspaces that the caller belongs to, with the role in each; a key sees its own and those below.
   *
   * Needs an API key with the scope `org:read`, or an access token.
   *
   * `GET /api/orgs` (listOrgs)
   */
  list(options?: CallOptions): ApiPromise<Array<OrgRead>> {
    return this.#caller.json<Array<OrgRead>>(operations.listOrgs, {}, options);
  }

  /**
   * Delete a workspace that has none below it; everything in it is removed. Its owners are told by mail, and the
   * log of the workspace above.
   *
   * Needs the access token of somebody with the role owner or above. Somebody who is signed in must have done so
   * within the last ten minutes. The workspace’s owners are mailed about it.
   *
   * `DELETE /api/orgs/{org_id}` (deleteOrg)
   */
  delete(orgId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.deleteOrg, { path: [orgId] }, options);
  }

  /**
   * One workspace, with the caller’s role in it.
   *
   * Needs an API key with the scope `org:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/orgs/{org_id}` (getOrg)
   */
  get(orgId: string, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.getOrg, { path: [orgId] }, options);
  }

  /**
   * Change name or settings; the owner also switches the workspace off and on, and sets the service that holds its
   * own key.
   *
   * Needs an API key with the scope `org:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes,
   * where it sets or removes settings.key_service. The workspace’s owners are mailed about it.
   *
   * `PATCH /api/orgs/{org_id}` (updateOrg)
   */
  update(orgId: string, body: OrgUpdate = {}, options?: CallOptions): ApiPromise<OrgRead> {
    return this.#caller.json<OrgRead>(operations.updateOrg, { path: [orgId], json: body }, options);
  }

  /**
   * The workspace and all below it, as a tree.
   *
   * Needs an API key with the scope `org:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/orgs/{org_id}/hierarchy` (getOrgHierarchy)
   */
  getHierarchy(orgId: string, options?: CallOptions): ApiPromise<HierarchyNode> {
    return this.#caller.json<HierarchyNode>(operations.getOrgHierarchy, { path: [orgId] }, options);
  }

  /**
   * Who did what to which thing and from where, newest first.
   *
   * Needs an API key with the scope `org:read`, made by somebody with the role admin or above, or the access token
   * of somebody with that role.
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
   * Needs an API key with the scope `members:read`, made by somebody with the role viewer or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/orgs/{org_id}/members` (listMembers)
   */
  list(orgId: string, options?: CallOptions): ApiPromise<Array<MemberRead>> {
    return this.#caller.json<Array<MemberRead>>(operations.listMembers, { path: [orgId] }, options);
  }

  /**
   * Remove a member, or leave, as anybody may who is signed in; the person’s sessions, keys and invitations here
   * stop. An API key removes no admins.
   *
   * Needs an API key with the scope `members:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `DELETE /api/orgs/{org_id}/members/{membership_id}` (removeMember)
   */
  remove(orgId: string, membershipId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.removeMember, { path: [orgId, membershipId] }, options);
  }

  /**
   * Change a member’s role; only people who are signed in make and change admins, only owners owners, and one
   * always stays.
   *
   * Needs an API key with the scope `members:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `PUT /api/orgs/{org_id}/members/{membership_id}/role` (setMemberRole)
   */
  setRole(orgId: string, membershipId: string, body: MemberRoleUpdate, options?: CallOptions): ApiPromise<MemberRead> {
    return this.#caller.json<MemberRead>(operations.setMemberRole, { path: [orgId, membershipId], json: body }, options);
  }

  /**
   * Make another verified member the owner and yourself an admin; asks for your password, or a fresh sign-in where
   * you have none.
   *
   * Needs the access token of somebody with the role owner or above. Somebody who is signed in must have done so
   * within the last ten minutes, unless the body shows whose account it is. The workspace’s owners are mailed
   * about it.
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
   * Mail a link to somebody who is to join; it works once, until expires_at. Needs a confirmed address; an API key
   * invites no admins.
   *
   * Needs an API key with the scope `members:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `POST /api/orgs/{org_id}/invitations` (createInvitation)
   */
  createInvitation(orgId: string, body: InvitationCreate, options?: CallOptions): ApiPromise<InvitationRead> {
    return this.#caller.json<InvitationRead>(operations.createInvitation, { path: [orgId], json: body }, options);
  }

  /**
   * Open and past invitations, newest first.
   *
   * Needs an API key with the scope `members:read`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
   *
   * `GET /api/orgs/{org_id}/invitations` (listInvitations)
   */
  listInvitations(orgId: string, options?: CallOptions): ApiPromise<Array<InvitationRead>> {
    return this.#caller.json<Array<InvitationRead>>(operations.listInvitations, { path: [orgId] }, options);
  }

  /**
   * What an invitation is to, for the holder of its link.
   *
   * Needs no credentials.
   *
   * `GET /api/invitations/{token}` (previewInvitation)
   */
  previewInvitation(token: string, options?: CallOptions): ApiPromise<InvitationPreview> {
    return this.#caller.json<InvitationPreview>(operations.previewInvitation, { path: [token] }, options);
  }

  /**
   * Mail another link, which works until the new expires_at; the one before works no more.
   *
   * Needs an API key with the scope `members:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role. Somebody who is signed in must have done so within the last ten minutes. The
   * workspace’s owners are mailed about it.
   *
   * `POST /api/orgs/{org_id}/invitations/{invitation_id}/resend` (resendInvitation)
   */
  resendInvitation(orgId: string, invitationId: string, options?: CallOptions): ApiPromise<InvitationRead> {
    return this.#caller.json<InvitationRead>(operations.resendInvitation, { path: [orgId, invitationId] }, options);
  }

  /**
   * Make the link of an invitation useless.
   *
   * Needs an API key with the scope `members:write`, made by somebody with the role admin or above, or the access
   * token of somebody with that role.
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
   * Needs the access token of somebody with the role admin or above. Somebody who is signed in must have done so
   * within the last ten minutes. The workspace’s owners are mailed about it.
   *
   * `POST /api/api-keys` (createApiKey)
   */
  create(body: ApiKeyCreate, options?: CallOptions): ApiPromise<ApiKeyCreated> {
    return this.#caller.json<ApiKeyCreated>(operations.createApiKey, { json: body }, options);
  }

  /**
   * The workspace’s API keys, newest first; never the keys themselves.
   *
   * Needs the access token of somebody with the role admin or above.
   *
   * `GET /api/api-keys` (listApiKeys)
   */
  list(options?: CallOptions): ApiPromise<Array<ApiKeyRead>> {
    return this.#caller.json<Array<ApiKeyRead>>(operations.listApiKeys, {}, options);
  }

  /**
   * Revoke an API key at once.
   *
   * Needs the access token of somebody with the role admin or above.
   *
   * `DELETE /api/api-keys/{key_id}` (revokeApiKey)
   */
  revoke(keyId: string, options?: CallOptions): ApiPromise<Message> {
    return this.#caller.json<Message>(operations.revokeApiKey, { path: [keyId] }, options);
  }

  /**
   * Replace an API key by another one with its scopes; the old one works until the grace is over.
   *
   * Needs the access token of somebody with the role admin or above. Somebody who is signed in must have done so
   * within the last ten minutes. The workspace’s owners are mailed about it.
   *
   * `POST /api/api-keys/{key_id}/rotate` (rotateApiKey)
   */
  rotate(keyId: string, body: ApiKeyRotate = {}, options?: CallOptions): ApiPromise<ApiKeyCreated> {
    return this.#caller.json<ApiKeyCreated>(operations.rotateApiKey, { path: [keyId], json: body }, options);
  }
}

/** What people are sent by mail. */
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
   * Whether the process is up; touches nothing else.
   *
   * Needs no credentials.
   *
   * `GET /api/health` (getHealth)
   */
  getHealth(options?: CallOptions): ApiPromise<HealthRead> {
    return this.#caller.json<HealthRead>(operations.getHealth, {}, options);
  }

  /**
   * Whether database and storage answer; names the workflow service, too, without which the API works on.
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
   * What an error code means and what to do.
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
  /** Accounts of people: signing in, and what they sign in with. */
  readonly auth: AuthResource;
  /** Assistants and their configuration. */
  readonly bots: BotsResource;
  /** Free times of the workspace’s calendar, and the meetings that are booked. */
  readonly bookings: BookingsResource;
  /** What bots were, and going back to it. */
  readonly versions: VersionsResource;
  /** What the widget on a customer’s page calls. */
  readonly widget: WidgetResource;
  /** Choices that lead visitors to a link. */
  readonly directory: DirectoryResource;
  /** Documents that bots answer from. */
  readonly knowledge: KnowledgeResource;
  /** What visitors and bots have said. */
  readonly conversations: ConversationsResource;
  /** Visitors whose details are known. */
  readonly contacts: ContactsResource;
  /** Conversations that wait for a person, or that one has. */
  readonly inbox: InboxResource;
  /** How conversations go, and what visitors ask. */
  readonly analytics: AnalyticsResource;
  /** Conversations that bots lead by plan. */
  readonly flows: FlowsResource;
  /** What workspaces and their bots have used of the plan. */
  readonly usage: UsageResource;
  /** What clients of the MCP server have called. */
  readonly toolInvocations: ToolInvocationsResource;
  /** Who is told of what in a messaging app. */
  readonly alerts: AlertsResource;
  /** Exports of conversations as archives, and imports of them. */
  readonly archive: ArchiveResource;
  /** Signed events for customers’ servers. */
  readonly webhooks: WebhooksResource;
  /** Plans, what is booked and paid, and receipts. */
  readonly billing: BillingResource;
  /** Whose key content is sealed with. */
  readonly encryption: EncryptionResource;
  /** Workspaces, those below them, and who has done what in them. */
  readonly orgs: OrgsResource;
  /** The people of a workspace, and who is invited. */
  readonly members: MembersResource;
  /** Keys that programs call with. */
  readonly apiKeys: ApiKeysResource;
  /** What people are sent by mail. */
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
