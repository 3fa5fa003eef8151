// Made by `npm run generate` from the operations of the API. Change those instead.

import type { StreamEventOf } from '../stream-event.ts';

/** Codes of errors; others may come. */
export type ErrorCode =
  | 'malformed_request'
  | 'malformed_json'
  | 'unsupported_version'
  | 'unauthenticated'
  | 'quota_exceeded'
  | 'forbidden'
  | 'fresh_proof_required'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'conflict'
  | 'idempotency_in_progress'
  | 'handoff_disabled'
  | 'last_owner'
  | 'last_sign_in_method'
  | 'slot_taken'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation_error'
  | 'idempotency_key_reused'
  | 'hierarchy_too_deep'
  | 'url_refused'
  | 'key_unavailable'
  | 'rate_limited'
  | 'internal_error'
  | 'not_ready'
  | (string & {});

/** Joins a workspace: with a new account, or with the account that is signed in. */
export interface AcceptInvitationRequest {
  /** The token at the end of the mailed link. */
  token: string;
  /** The person’s name. */
  full_name?: string | null | undefined;
  /** The password of a new account. */
  password?: string | null | undefined;
  /**
   * The refresh token of the session. Without it, the session must have started within the last minutes:
   * `fresh_proof_required`.
   */
  refresh_token?: string | null | undefined;
}

/** Shows that the account’s owner asks. */
export interface AccountDeleteRequest {
  /** The present password. */
  password?: string | null | undefined;
  /** The code of the second factor if that is on, or the mailed sign-in code if there is no password. */
  code?: string | null | undefined;
}

/** Links by which a chat is tied to the workspace, once. */
export interface AlertConnectResponse {
  /** The id for polling. */
  attempt_id: string;
  /** Open it, or scan it as a QR code, on the device that has the messaging app. */
  link: string;
  /** The link for a group; null if groups are unsupported. */
  group_link: string | null;
  /** Time at which the links expire. */
  expires_at: string;
}

/** Whether a link was opened, and by which destination. */
export interface AlertConnectionState {
  /** The attempt. */
  attempt_id: string;
  /** connected: the destination is verified; save a policy for it. */
  status: 'pending' | 'connected' | 'expired' | (string & {});
  /** The chat or number; null until it is connected. */
  destination: string | null;
  /** Name of the chat or its person there. */
  name: string | null;
}

/** An estimate of a policy’s messages in a month, from the events of the last one. */
export interface AlertEstimate {
  /** Number of observed days: the last 30, or the age of the workspace. 0 if its first day had no events. */
  observed_days: number;
  /** Number of matching events on the observed days. */
  events: number;
  /** Messages of 30 days, digests apart. */
  messages_per_month: number;
  /** Digests of 30 days that would have something to say. */
  digests_per_month: number;
  /** Number of observed days on which the cap would have been reached. */
  capped_days: number;
  /** Cost of a message to the destination, as set by the operator; 0 if unset. */
  unit_price_usd: number;
  /**
   * Cost of messages and digests of 30 days. WhatsApp does not charge for replies within a day, so the actual cost
   * may be lower.
   */
  cost_usd: number;
  /** Events, the most frequent first. */
  by_event: Array<AlertEstimateByEventItem>;
}

export interface AlertEstimateByEventItem {
  /** Name of the event. */
  event: 'handoff.requested' | 'webhook.disabled' | 'calendar.failing' | 'usage.limit_reached' | 'lead.captured' | 'booking.created' | 'booking.cancelled' | 'booking.conflict' | 'document.failed' | 'document.indexed' | 'conversation.started' | 'conversation.ended' | 'contact.updated' | 'message.created' | (string & {});
  /** Number of occurrences on the observed days. */
  count: number;
}

/** A destination, its alert settings, and its current state. */
export interface AlertPolicyRead {
  /** The policy’s id. */
  id: string;
  /** The messaging app. */
  channel: string;
  /** Telegram: the id of a chat, or the @name of a public one. WhatsApp: a number with its country code. */
  destination: string;
  /** The bot whose events are sent; null for all bots and the workspace itself. */
  bot_id: string | null;
  /**
   * off: nothing. critical: a visitor waits for a person, a webhook endpoint was disabled, the calendar fails, a
   * limit is reached. leads: also leads and bookings. all: also documents, conversations and contacts. digest:
   * nothing immediately, only a summary.
   */
  intensity: 'off' | 'critical' | 'leads' | 'all' | 'digest' | (string & {});
  /** Events to send immediately, instead of those of the intensity. `message.created` is sent only if listed here. */
  events: Array<'handoff.requested' | 'webhook.disabled' | 'calendar.failing' | 'usage.limit_reached' | 'lead.captured' | 'booking.created' | 'booking.cancelled' | 'booking.conflict' | 'document.failed' | 'document.indexed' | 'conversation.started' | 'conversation.ended' | 'contact.updated' | 'message.created' | (string & {})> | null;
  /** The interval of digests; with the intensity digest it defaults to daily. */
  digest: 'none' | 'daily' | 'weekly' | (string & {});
  /** The hour of the digest, in the time zone. */
  digest_hour: number;
  /** On which day, of weekly ones; 0 is Sunday. */
  digest_weekday: number;
  /** Maximum messages per local day; later alerts are held for a summary the next day. Null for 2000. */
  daily_cap: number | null;
  /** For the team. */
  label: string;
  /** The time zone for days and hours; defaults to the calendar’s, else the workspace’s, else UTC. */
  timezone: string;
  /** Name of the chat or its person there. */
  destination_name: string | null;
  /** Whether the recipient has agreed. */
  verified: boolean;
  /** Time at which the recipient agreed. */
  verified_at: string | null;
  /**
   * off: nothing is sent. blocked: the destination rejects messages. unverified: nothing is sent until it is
   * verified.
   */
  status: 'active' | 'off' | 'unverified' | 'blocked' | (string & {});
  /** Why the destination rejects messages. */
  blocked_reason: string | null;
  /** Messages of this local day that count. */
  sent_today: number;
  /** Alerts of this local day that found the cap used up. */
  held_today: number;
  /** When the local day ends. */
  day_resets_at: string;
  /** Time of the next digest, or of the next summary of held alerts. */
  next_digest_at: string | null;
  /** Why the last message failed. */
  last_error: string | null;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** The id of the attempt. */
export interface AlertPollRequest {
  /** The token from the connect operation. */
  attempt_id: string;
}

/** The result of a test. */
export interface AlertTestResponse {
  /** The message. */
  alert_id: string;
  /** The provider has taken it. */
  ok: boolean;
  /** Its duration. */
  duration_ms: number;
  /** Why it has not. */
  error: string | null;
}

/** A code that was sent to a destination. */
export interface AlertVerificationStarted {
  /** The provider has taken the code. */
  ok: boolean;
  /** Why it has not. */
  error: string | null;
  /** Time at which the code expires. */
  expires_at: string;
  /** Time from which another code can be sent. */
  next_send_at: string;
}

/** The code that a destination was sent. */
export interface AlertVerifyRequest {
  /** The code that arrived. */
  code: string;
}

/** A day, limited to the range. */
export interface AnalyticsDay {
  /** The day in the time zone. */
  date: string;
  /** Conversations that began on it: sessions in which the visitor has said something. */
  conversations: number;
  /** Resolved conversations. */
  resolved: number;
  /** Conversations that the bot handled alone. */
  self_served: number;
  /** Sessions that started on this day and produced a lead. */
  leads: number;
  /** Requests for a person that were made on it. */
  handoffs: number;
}

/** Requests for a person that were made in the range. */
export interface AnalyticsHandoffs {
  /** Requests for a person, by the time of the request. */
  requested: number;
  /** Requests that a member took. */
  answered: number;
  /** Time from a request until the first member took the conversation. */
  wait_seconds: WaitPercentiles;
}

/** Current outcomes of the conversations that started in a range. */
export interface AnalyticsOverview {
  /** The first moment of the range. */
  from: string;
  /** The first moment after it. */
  to: string;
  /** The time zone of the days. */
  timezone: string;
  /** Sessions that began, also those in which the visitor has said nothing. listConversations has the same total. */
  sessions: number;
  /**
   * Those in which the visitor has said something. listConversations has the same total with
   * has_visitor_message=true.
   */
  conversations: number;
  /**
   * Conversations that have ended. listConversations has the same total with
   * status=ended&has_visitor_message=true.
   */
  ended: number;
  /**
   * Conversations that the team has marked as resolved. listConversations has the same total with
   * resolved=true&has_visitor_message=true.
   */
  resolved: number;
  /** Resolved conversations among all. Null if there are none. */
  resolution_rate: number | null;
  /** Ended conversations that never were handed over to people, and are not rated 1 or 2. */
  self_served: number;
  /** Self-served conversations among those that have ended. Null if there are none. */
  self_service_rate: number | null;
  /**
   * Sessions in which the visitor left details, also before saying anything. listConversations has the same total
   * with is_lead=true.
   */
  leads: number;
  /** Conversations in which the visitor left details among all. Null if there are none. */
  lead_rate: number | null;
  /** Visitors’ ratings of conversations. */
  ratings: AnalyticsRatings;
  /** Requests for a person that were made in the range. */
  handoffs: AnalyticsHandoffs;
  /** Time from a message to the complete answer, for answers in the range. */
  latency_ms: LatencyPercentiles;
  /** Time from a message to the first text of a model, for answers in the range. */
  ttft_ms: FirstTextPercentiles;
  /** Answers of the range that failed. */
  errors: number;
  /** Answers of the range for which the documents had nothing, or that were the fallback. */
  unanswered: number;
  /** Each day that the range touches, in order; null for a range of more than 92 days. */
  days: Array<AnalyticsDay> | null;
}

/** Visitors’ ratings of conversations. */
export interface AnalyticsRatings {
  /** Sessions that were rated. */
  count: number;
  /** The average rating; null if there is none. */
  average: number | null;
  /** The part of the ratings that is 4 or 5. Null if there are none. */
  satisfied_rate: number | null;
  /** Number of ratings of each value, from 1 to 5. */
  distribution: Array<number>;
}

/** A new API key. */
export interface ApiKeyCreate {
  /** The purpose of the key. */
  name: string;
  /** The key’s scopes, limited by its creator’s rights; write implies read. */
  scopes: Array<'bots:read' | 'bots:write' | 'knowledge:read' | 'knowledge:write' | 'conversations:read' | 'conversations:write' | 'contacts:read' | 'contacts:write' | 'inbox:read' | 'inbox:write' | 'bookings:read' | 'bookings:write' | 'alerts:read' | 'alerts:write' | 'webhooks:read' | 'webhooks:write' | 'org:read' | 'org:write' | 'members:read' | 'members:write' | 'billing:read' | 'encryption:read' | 'flows:read' | 'flows:write' | 'archive:read' | 'archive:write' | 'usage:read' | 'analytics:read' | 'tools:read'>;
  /** Time at which the key expires; never if absent. */
  expires_at?: string | null | undefined;
}

/** A new API key. */
export interface ApiKeyCreated {
  /** The key’s id. */
  id: string;
  /** Its purpose. */
  name: string;
  /** The first characters of the key. */
  prefix: string;
  /** Its last 4 characters. */
  last_four: string;
  /** Its scopes. */
  scopes: Array<string>;
  /** The API version for calls that name none; null for the current one. */
  api_version: string | null;
  /** The account whose rights limit the key. */
  created_by_id: string;
  /** Time of creation. */
  created_at: string;
  /** Time of the last use, to the minute; null if never used. */
  last_used_at: string | null;
  /** Time at which it expires; null for never. */
  expires_at: string | null;
  /** The key. It is shown this once. */
  key: string;
}

/** An API key, but not the key itself. */
export interface ApiKeyRead {
  /** The key’s id. */
  id: string;
  /** Its purpose. */
  name: string;
  /** The first characters of the key. */
  prefix: string;
  /** Its last 4 characters. */
  last_four: string;
  /** Its scopes. */
  scopes: Array<string>;
  /** The API version for calls that name none; null for the current one. */
  api_version: string | null;
  /** The account whose rights limit the key. */
  created_by_id: string;
  /** Time of creation. */
  created_at: string;
  /** Time of the last use, to the minute; null if never used. */
  last_used_at: string | null;
  /** Time at which it expires; null for never. */
  expires_at: string | null;
}

/** The rotation of a key. */
export interface ApiKeyRotate {
  /** How long the old key stays valid. */
  grace_hours?: number | undefined;
}

/** A version that can be pinned with X-API-Version. */
export interface ApiVersionRead {
  /** Its date, by which it is pinned. */
  version: string;
  /** Changes from the previous version. */
  changes: Array<string>;
  /** Time at which it became deprecated. */
  deprecated_at: string | null;
  /** Time at which it is removed. */
  sunset_at: string | null;
}

/** Counts of an export or import so far. */
export interface ArchiveCounts {
  /** Bots in the export, or that the import has made. */
  bots: number;
  /** Contacts in the export, or that the import has made. */
  contacts: number;
  /** Exported or imported conversations, including those without a visitor message. */
  conversations: number;
  /** Their messages. */
  messages: number;
  /** Conversations that already existed, or whose visitor was erased. */
  skipped: number;
  /** Conversations that could not be taken; `errors` say why. */
  failed: number;
}

/** The contents of an archive. */
export interface ArchiveExportRequest {
  /** Conversations of these bots alone; null for all. */
  bot_ids?: Array<string> | null | undefined;
  /** Conversations that began then or later; null for all. */
  from?: string | null | undefined;
  /** Conversations that began before; null for all until now. */
  to?: string | null | undefined;
  /** Whether to include contacts and the data extracted about them. */
  include_contacts?: boolean | undefined;
}

/** A record that could not be taken. */
export interface ArchiveJobError {
  /** The line of the file that the message names. */
  line: number | null;
  /** The id of the record, as the archive has it. */
  id: string | null;
  /** The kind of error. */
  code: string;
  /** A description for people. */
  message: string;
}

/** An export or import of conversations. */
export interface ArchiveJobRead {
  /** The job’s id. */
  id: string;
  /** Export or import. */
  kind: 'export' | 'import' | (string & {});
  /** The status; the last two are final. */
  status: 'pending' | 'running' | 'completed' | 'failed' | (string & {});
  /** Time of the request. */
  created_at: string;
  /** Start time; null while it is queued. */
  started_at: string | null;
  /** End time. */
  finished_at: string | null;
  /** Time until which an export can be downloaded; null otherwise. */
  expires_at: string | null;
  /** The requested contents of an export; null for an import. */
  request: ArchiveJobReadRequest | null;
  /** Its progress. */
  progress: number;
  /** Counts of an export or import so far. */
  counts: ArchiveCounts;
  /** Files of a finished export: each is an archive that can be imported by itself. */
  parts: number;
  /** Total size of all parts. */
  size_bytes: number;
  /** Why it has failed. */
  error_message: string | null;
  /** The first 100. */
  errors: Array<ArchiveJobError>;
  /** The total number. */
  errors_total: number;
}

/** The requested contents of an export; null for an import. */
export interface ArchiveJobReadRequest {
  /** Conversations of these bots alone; null for all. */
  bot_ids: Array<string> | null;
  /** Conversations that began then or later; null for all. */
  from: string | null;
  /** Conversations that began before; null for all until now. */
  to: string | null;
  /** Whether to include contacts and the data extracted about them. */
  include_contacts: boolean;
}

/** A write or a sign-in. */
export interface AuditEventRead {
  /** The event’s id. */
  id: string;
  /** Time of the action. */
  created_at: string;
  /** The user who did it, or who created the API key that did. */
  user_id: string;
  /** The user’s name; null if the account was deleted. */
  user_name: string | null;
  /** Their address; null when the account is gone. */
  user_email: string | null;
  /** The API key that was used; null for a signed-in person. */
  key_id: string | null;
  /** The key’s name. */
  key_name: string | null;
  /** The operation of this API. */
  operation: string;
  /** The kind of object. */
  resource_type: string;
  /** The object’s id; a bulk write creates an event for each object. */
  resource_id: string | null;
  /** The action, if the operation has several; otherwise null. */
  action: string | null;
  /** Names of the fields in the request; their values are not stored. */
  changed_fields: Array<string>;
  /** The address it came from. */
  ip: string;
  /** The program it came from. */
  user_agent: string | null;
  /** X-Request-ID of the request. */
  request_id: string;
}

/** The billing address on receipts. It replaces the stored one completely: absent fields become empty. */
export interface BillingProfileIn {
  /** Street and number. */
  address_line1?: string | undefined;
  /** Second line of the address. */
  address_line2?: string | undefined;
  /** The e-mail address for the provider’s invoices. */
  billing_email?: string | undefined;
  /** City. */
  city?: string | undefined;
  /** ISO 3166-1 code of the country. */
  country_code?: string | undefined;
  /** The billing address on receipts. */
  legal_name?: string | undefined;
  /** Postal code. */
  postal_code?: string | undefined;
  /** State, province or region, where addresses have one. */
  state_code?: string | undefined;
  /** Tax id that is printed on receipts; only together with its type. */
  tax_id?: string | undefined;
  /** Type of the tax id, as Stripe names it. */
  tax_id_type?: string | undefined;
}

/** The billing address on receipts. */
export interface BillingProfileRead {
  /** Street and number. */
  address_line1: string;
  /** Second line of the address. */
  address_line2: string;
  /** The e-mail address for the provider’s invoices. */
  billing_email: string;
  /** City. */
  city: string;
  /** ISO 3166-1 code of the country. */
  country_code: string;
  /** The billing address on receipts. */
  legal_name: string;
  /** Postal code. */
  postal_code: string;
  /** State, province or region, where addresses have one. */
  state_code: string;
  /** Tax id that is printed on receipts; only together with its type. */
  tax_id: string;
  /** Type of the tax id, as Stripe names it. */
  tax_id_type: string;
  /**
   * The provider’s verification of the tax id. none: no tax id, or its type cannot be verified. rejected: it is
   * not printed.
   */
  tax_id_status: 'none' | 'pending' | 'verified' | 'rejected' | (string & {});
  /** Time at which it was last saved; null if never. */
  updated_at: string | null;
}

/** A booking of a free slot. */
export interface BookRequest {
  /** The `start` of a slot that is offered, with any offset. */
  start: string;
  /** Its subject. */
  summary: string;
  /** The address for mails about confirmation and changes. */
  attendee_email?: string | null | undefined;
  /** The attendee’s name. */
  attendee_name?: string | null | undefined;
  /** Additional details. */
  description?: string | null | undefined;
}

/** A meeting. */
export interface BookingRead {
  /** The booking’s id. */
  id: string;
  /** Whether it is confirmed or cancelled. */
  status: 'confirmed' | 'cancelled' | (string & {});
  /** Start time, in UTC. */
  start: string;
  /** End time, in UTC. */
  end: string;
  /** The calendar’s time zone when it was booked. */
  timezone: string;
  /** The attendee’s time zone; null if unknown. */
  attendee_timezone: string | null;
  /** Its subject; empty once its contact was erased. */
  summary: string;
  /** Additional details. */
  description: string | null;
  /** The attendee’s name. */
  attendee_name: string | null;
  /** The address for mails about changes. */
  attendee_email: string | null;
  /** The bot that its visitor booked with; null for the team’s, and for visitors. */
  bot_id: string | null;
  /** The conversation that it was booked in; null for the team’s, and for visitors. */
  conversation_id: string | null;
  /** The contact who booked it; null for the team’s, and for visitors. */
  contact_id: string | null;
  /** The booker: the team, or a visitor through the widget or a flow. */
  source: 'team' | 'widget' | 'flow' | (string & {});
  /** Whether the calendar has the event: none without a provider. A booking is valid regardless. */
  calendar_status: 'none' | 'pending' | 'written' | 'failed' | 'removed' | (string & {});
  /** Why the calendar does not have it; null for visitors. */
  calendar_error: string | null;
  /** Whether it overlaps with another event in the calendar. */
  conflict: boolean;
  /** When it was cancelled. */
  cancelled_at: string | null;
  /** The side that cancelled it: calendar if the owner deleted the event; erasure if its contact was erased. */
  cancelled_by: 'team' | 'attendee' | 'calendar' | 'erasure' | (string & {}) | null;
  /** When it was booked. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /**
   * The attendee’s page, to view and cancel the booking; shown to the booker, and to team members who can cancel
   * it. Null in lists.
   */
  manage_url?: string | null | undefined;
  /** The booking as a calendar file, for the same people. */
  ics_url?: string | null | undefined;
}

/** A time that is free. */
export interface BookingSlot {
  /** Start time, in UTC. */
  start: string;
  /** End time, in UTC. */
  end: string;
  /** Start time, in the requested time zone. */
  local_start: string;
}

/** The draft of a bot. */
export interface BotBlueprint {
  /** The name of the business, if known. */
  name: string;
  /** A description for the team. */
  description: string;
  /** The kind of business. */
  industry: string;
  /** Role and tone of the bot, with facts from the description and the website. */
  system_prompt: string;
  /** The first thing a visitor reads. */
  welcome_message: string;
  /** The bot’s reply if the documents have no answer. */
  fallback_message: string;
  /** The language of the description, or auto. */
  language: string;
  /** Questions that the widget offers to begin with. */
  starter_questions: Array<string>;
  /** Suggested topics for the bot’s documents. */
  suggested_kb_topics: Array<string>;
  /** The sampling temperature of the model. */
  temperature: number;
  /** Answer from the documents or not at all. */
  strict_kb_mode: boolean;
  /** The lead form, if the description asks for visitors’ details; see LeadCaptureConfig. */
  lead_capture_config: Record<string, unknown> | null;
  /** People and places that the website names with pages of their own; see DirectoryConfig. */
  directory_config: Record<string, unknown> | null;
  /** The fields that the model extracts from conversations; see ContactFieldDef. */
  contact_fields_config: Array<Record<string, unknown>>;
  /** The widget’s appearance; see WidgetTheme. */
  widget_theme: Record<string, unknown>;
}

/** A new bot. */
export interface BotCreate {
  /** The bot’s name. */
  name: string;
  /** A description for the team; visitors do not see it. */
  description?: string | null | undefined;
  /** platform: the installation’s model; byok: the workspace’s own key; custom: custom_endpoint_config. */
  llm_provider?: 'platform' | 'byok' | 'custom' | undefined;
  /** A model of the provider; null for its default. */
  model?: string | null | undefined;
  /** The workspace’s own key for byok; stored encrypted, never returned. */
  api_key?: string | null | undefined;
  /** An owner-supplied endpoint with a chat-completion interface. */
  custom_endpoint_config?: CustomEndpointConfig | null | undefined;
  /** Role and tone of the bot. */
  system_prompt?: string | null | undefined;
  /** The sampling temperature of the model. */
  temperature?: number | undefined;
  /** Length of an answer at most, in tokens. */
  max_tokens?: number | undefined;
  /** Whether a model that supports it reasons before it answers. */
  thinking_enabled?: boolean | undefined;
  /** Tokens that it may think with. */
  thinking_budget_tokens?: number | undefined;
  /** The first thing a visitor reads. */
  welcome_message?: string | null | undefined;
  /** Questions that the widget offers to begin with. */
  starter_questions?: Array<string> | undefined;
  /**
   * The bot’s reply if the documents have no answer; null or blank for Parley’s own text in the visitor’s
   * language.
   */
  fallback_message?: string | null | undefined;
  /** Answer from the documents or not at all. */
  strict_kb_mode?: boolean | undefined;
  /** A language tag, or auto for the visitor’s. */
  language?: string | undefined;
  /** When the widget asks for contact details, and for which ones. */
  lead_capture_config?: LeadCaptureConfig | null | undefined;
  /** The fields that the model extracts from conversations; see ContactFieldDef. */
  contact_fields_config?: Array<ContactFieldDef> | undefined;
  /** A category and a choice that resolve to a link. */
  directory_config?: DirectoryConfig | null | undefined;
  /**
   * The widget’s appearance. Invalid values of these fields are stored and ignored; further keys are stored
   * unchanged. At most 1000 values in all.
   */
  widget_theme?: WidgetTheme | undefined;
  /**
   * Hosts that may embed the widget, exact or *.host, on any port or on a given one. Null allows all, an empty
   * list none.
   */
  allowed_domains?: Array<string> | null | undefined;
  /** Whether the widget is enabled. */
  is_public?: boolean | undefined;
  /** Visitors’ messages a minute. */
  rate_limit_per_minute?: number | undefined;
  /** Answers in a calendar month (UTC); null for no cap. */
  monthly_message_cap?: number | null | undefined;
  /** Whether visitors can ask for a person. */
  handoff_enabled?: boolean | undefined;
  /**
   * How visitors are handed over to people. Further keys are stored and returned as sent, at most 64 keys, 16384
   * bytes of JSON and 5 levels of them.
   */
  handoff_config?: HandoffConfig | null | undefined;
}

/** A copy of a bot. */
export interface BotDuplicateRequest {
  /** Name of the copy; by default the bot’s name and “(copy)”. */
  name?: string | undefined;
  /** The workspace of the copy, where the caller must be an admin; by default the bot’s own. */
  org_id?: string | null | undefined;
  /**
   * Whether to copy the bot’s flows, which are inactive in the copy. If the bot has flows, this needs a key with
   * the scope flows:read, or false.
   */
  include_flows?: boolean | undefined;
}

/** The input for drafting a bot. */
export interface BotGenerateRequest {
  /** A description of the business and of the bot’s task. */
  description: string;
  /** The business’s website, of which up to five pages are read; without a scheme it is https. */
  website_url?: string | null | undefined;
  /** Whether to import the website as a document of the bot. */
  import_website?: boolean | undefined;
  /** Whether to activate the bot immediately. */
  activate?: boolean | undefined;
}

/** A bot that was generated, and the draft that it was made of. */
export interface BotGenerateResponse {
  /** The draft of a bot. */
  blueprint: BotBlueprint;
  /** A bot with its configuration and counters. */
  bot: BotRead | null;
  /** Paste it before </body>. */
  embed_snippet: string | null;
  /** Whether the website is being imported; false if its robots.txt forbids it. */
  import_job_queued: boolean;
}

/** A bot with its configuration and counters. */
export interface BotRead {
  /** The bot’s id. */
  id: string;
  /** The workspace that it belongs to. */
  org_id: string;
  /** The bot’s name. */
  name: string;
  /** A description for the team; visitors do not see it. */
  description: string | null;
  /** draft → active ↔ paused; any → archived → draft. */
  status: 'draft' | 'active' | 'paused' | 'archived' | (string & {});
  /** Identifies the bot in the public widget. */
  public_key: string;
  /** platform: the installation’s model; byok: the workspace’s own key; custom: custom_endpoint_config. */
  llm_provider: 'platform' | 'byok' | 'custom' | (string & {});
  /** A model of the provider; null for its default. */
  model: string | null;
  /** The endpoint without the secret of its auth header. */
  custom_endpoint_config: CustomEndpointConfigRead | null;
  /** Role and tone of the bot. */
  system_prompt: string;
  /** The sampling temperature of the model. */
  temperature: number;
  /** Length of an answer at most, in tokens. */
  max_tokens: number;
  /** Whether a model that supports it reasons before it answers. */
  thinking_enabled: boolean;
  /** Tokens that it may think with. */
  thinking_budget_tokens: number;
  /** The first thing a visitor reads. */
  welcome_message: string | null;
  /** Questions that the widget offers to begin with. */
  starter_questions: Array<string>;
  /**
   * The bot’s reply if the documents have no answer; null or blank for Parley’s own text in the visitor’s
   * language.
   */
  fallback_message: string | null;
  /** Answer from the documents or not at all. */
  strict_kb_mode: boolean;
  /** A language tag, or auto for the visitor’s. */
  language: string;
  /** When the widget asks for contact details, and for which ones; see LeadCaptureConfig. */
  lead_capture_config: Record<string, unknown> | null;
  /** The fields that the model extracts from conversations; see ContactFieldDef. */
  contact_fields_config: Array<Record<string, unknown>>;
  /** A category and a choice that lead to a link; see DirectoryConfig. */
  directory_config: Record<string, unknown> | null;
  /**
   * The widget’s appearance; see WidgetTheme. A change is merged into the stored keys, and into those of
   * dark_palette; null removes a key.
   */
  widget_theme: Record<string, unknown>;
  /**
   * Hosts that may embed the widget, exact or *.host, on any port or on a given one. Null allows all, an empty
   * list none.
   */
  allowed_domains: Array<string> | null;
  /** Whether the widget is enabled. */
  is_public: boolean;
  /** Visitors’ messages a minute. */
  rate_limit_per_minute: number;
  /** Answers in a calendar month (UTC); null for no cap. */
  monthly_message_cap: number | null;
  /** Whether visitors can ask for a person. */
  handoff_enabled: boolean;
  /** Texts for visitors who ask for a person, the hours of the team, and the members to mail; see HandoffConfig. */
  handoff_config: Record<string, unknown> | null;
  /** The last failure of the model, for the team. */
  last_error: string | null;
  /** Sessions with the bot, including those without a visitor message: `sessions` of getAnalyticsOverview. */
  total_conversations: number;
  /** Messages in them of both sides: the sum of their message_count. */
  total_messages: number;
  /** Passages that its answers can be drawn from. */
  indexed_chunk_count: number;
  /** Whether a key for byok is stored. */
  has_api_key: boolean;
  /** When the bot was made. */
  created_at: string;
  /** Time of the last change of its configuration. */
  updated_at: string;
}

/**
 * The fields to change. Null clears an optional field, resets others to the default, and leaves name and status
 * unchanged.
 */
export interface BotUpdate {
  /** The bot’s name. Null keeps it. */
  name?: string | null | undefined;
  /** A description for the team; visitors do not see it. */
  description?: string | null | undefined;
  /** draft → active ↔ paused; any → archived → draft. Null keeps it. */
  status?: 'draft' | 'active' | 'paused' | 'archived' | null | undefined;
  /**
   * platform: the installation’s model; byok: the workspace’s own key; custom: custom_endpoint_config. Null sets
   * the default again: "platform".
   */
  llm_provider?: 'platform' | 'byok' | 'custom' | null | undefined;
  /** A model of the provider; null for its default. */
  model?: string | null | undefined;
  /** The workspace’s own key for byok; stored encrypted, never returned. */
  api_key?: string | null | undefined;
  /** An owner-supplied endpoint with a chat-completion interface. */
  custom_endpoint_config?: CustomEndpointConfig | null | undefined;
  /** Role and tone of the bot. */
  system_prompt?: string | null | undefined;
  /** The sampling temperature of the model. Null sets the default again: 0.7. */
  temperature?: number | null | undefined;
  /** Length of an answer at most, in tokens. Null sets the default again: 1024. */
  max_tokens?: number | null | undefined;
  /** Whether a model that supports it reasons before it answers. Null sets the default again: false. */
  thinking_enabled?: boolean | null | undefined;
  /** Tokens that it may think with. Null sets the default again: 2048. */
  thinking_budget_tokens?: number | null | undefined;
  /** The first thing a visitor reads. */
  welcome_message?: string | null | undefined;
  /** Questions that the widget offers to begin with. Null sets the default again: []. */
  starter_questions?: Array<string> | null | undefined;
  /**
   * The bot’s reply if the documents have no answer; null or blank for Parley’s own text in the visitor’s
   * language.
   */
  fallback_message?: string | null | undefined;
  /** Answer from the documents or not at all. Null sets the default again: false. */
  strict_kb_mode?: boolean | null | undefined;
  /** A language tag, or auto for the visitor’s. Null sets the default again: "auto". */
  language?: string | null | undefined;
  /** When the widget asks for contact details, and for which ones. */
  lead_capture_config?: LeadCaptureConfig | null | undefined;
  /** The fields that the model extracts from conversations; see ContactFieldDef. Null sets the default again: []. */
  contact_fields_config?: Array<ContactFieldDef> | null | undefined;
  /** A category and a choice that resolve to a link. */
  directory_config?: DirectoryConfig | null | undefined;
  /**
   * The widget’s appearance. Invalid values of these fields are stored and ignored; further keys are stored
   * unchanged. At most 1000 values in all.
   */
  widget_theme?: WidgetTheme | null | undefined;
  /**
   * Hosts that may embed the widget, exact or *.host, on any port or on a given one. Null allows all, an empty
   * list none.
   */
  allowed_domains?: Array<string> | null | undefined;
  /** Whether the widget is enabled. Null sets the default again: true. */
  is_public?: boolean | null | undefined;
  /** Visitors’ messages a minute. Null sets the default again: 30. */
  rate_limit_per_minute?: number | null | undefined;
  /** Answers in a calendar month (UTC); null for no cap. */
  monthly_message_cap?: number | null | undefined;
  /** Whether visitors can ask for a person. Null sets the default again: false. */
  handoff_enabled?: boolean | null | undefined;
  /**
   * How visitors are handed over to people. Further keys are stored and returned as sent, at most 64 keys, 16384
   * bytes of JSON and 5 levels of them.
   */
  handoff_config?: HandoffConfig | null | undefined;
  /** Makes another secret for the identity tokens of visitors; `/embed` shows it. */
  rotate_identity_secret?: BotUpdateRotateIdentitySecret | null | undefined;
}

/** Makes another secret for the identity tokens of visitors; `/embed` shows it. */
export interface BotUpdateRotateIdentitySecret {
  /** How long tokens signed with the old secret stay valid. */
  grace_hours?: number | undefined;
}

/** Saves the bot’s current configuration as a version. */
export interface BotVersionCreate {
  /** The reason for saving it. Versions with a note are kept longer than those without one. */
  note?: string | null | undefined;
}

/** The configuration of a bot at one moment. */
export interface BotVersionRead {
  /** Its number: from 1 for each bot, never used again. */
  version: number;
  /** The reason for saving it. */
  note: string | null;
  /** The configuration, with the field names of BotUpdate; without status and secrets, which versions do not store. */
  snapshot: Record<string, unknown>;
  /** Id of the user who saved it; null once the account is deleted. */
  author_id: string | null;
  /** The user’s name; null if unknown. */
  author_name: string | null;
  /** When it was saved. */
  created_at: string;
}

/** One action for many conversations. */
export interface BulkConversationUpdate {
  /** The conversations; one that is named twice has two outcomes. */
  ids: Array<string>;
  /** The action for each; delete needs the role admin. */
  action: 'resolve' | 'reopen' | 'delete';
}

/** The outcome for one id. */
export interface BulkOutcome {
  /** The id, as requested. */
  id: string;
  /** Whether the action was applied. */
  ok: boolean;
  /** Why it was not: the code that a call for this id alone gets, and a sentence. */
  error: string | null;
}

/** The outcome for each id, and the counts. */
export interface BulkResponse {
  /** A result for each id, in the requested order. */
  results: Array<BulkOutcome>;
  /** Outcomes that are ok. */
  succeeded: number;
  /** Outcomes that are not. */
  failed: number;
}

/** The workspace’s calendar, with its settings in effect. */
export interface CalendarConnectionRead {
  /** The connection’s id. */
  id: string;
  /** The calendar provider; local: only Parley’s bookings. */
  provider: 'google' | 'caldav' | 'local' | (string & {});
  /** The account at the provider. */
  account_email: string | null;
  /**
   * degraded: the provider does not respond; reconnect_needed: the provider rejects our access; paused: is_active
   * is off.
   */
  health: 'healthy' | 'degraded' | 'reconnect_needed' | 'paused' | (string & {});
  /** The provider’s last error, and how to fix it. */
  last_error: string | null;
  /** Time at which its busy times were last read. */
  last_synced_at: string | null;
  /** When it was connected. */
  connected_at: string;
  /** The calendar that bookings are written to. */
  booking_calendar_id: string | null;
  /** Minutes between two meetings. */
  buffer_minutes: number;
  /** The hour by which the last meeting ends; 24 for midnight. */
  business_close_hour: number;
  /** The hour at which the first meeting may begin. */
  business_open_hour: number;
  /** The calendars whose events block slots. */
  calendar_ids: Array<string>;
  /** Whether slots are offered. */
  is_active: boolean;
  /** Minutes of a meeting. */
  slot_minutes: number;
  /** The time zone of business hours. */
  timezone: string;
  /** Whether meetings are limited to Monday to Friday. */
  weekdays_only: boolean;
}

/** A calendar of the connected account. */
export interface CalendarDescriptor {
  /** The id for booking_calendar_id and calendar_ids. */
  id: string;
  /** The owner’s name for it. */
  name: string;
  /** Its time zone, where the provider says. */
  timezone: string | null;
  /** Whether it is the account’s primary calendar. */
  is_primary: boolean;
  /** Whether bookings can be written to it. */
  can_write: boolean;
}

/** The present password and the next one. */
export interface ChangePasswordRequest {
  /** The present password. */
  current_password: string;
  /** Any characters, compared in NFKC form. Must not be a common password, or contain your name or address. */
  new_password: string;
}

/** The item to buy. The server determines the price. */
export interface CheckoutRequest {
  /** A tier by the month, or a top-up. */
  tier: 'starter' | 'pro' | 'business' | 'topup';
  /** Units of a top-up; 1 for a tier. */
  quantity?: number | undefined;
}

/** A page of the payment provider, made for this purchase. */
export interface CheckoutResponse {
  /** The checkout’s id. */
  id: string;
  /** The URL to redirect the browser to. */
  url: string;
  /** Time at which it expires; null for a change of tier, and if nothing is due. */
  expires_at: string | null;
  /** A tier by the month, or a top-up. */
  tier: 'starter' | 'pro' | 'business' | 'topup' | (string & {});
  /** The quantity. */
  quantity: number;
}

/** A source of an answer. */
export interface Citation {
  /** The number that the text refers to, as in [1]. */
  index: number;
  /** The document that was cited. */
  document_id: string;
  /** The cited part of the document. */
  chunk_id: string;
  /** Title of the document. */
  title: string;
  /** The document’s source. */
  source_url: string | null;
  /** The passage that was cited. */
  quote: string;
}

/** The next step of the connection. */
export interface ConnectResponse {
  /** The URL to redirect the browser to. */
  authorization_url: string;
  /** The provider. */
  provider: 'google' | 'caldav' | 'local' | (string & {});
}

/** Changes of a calendar’s settings; null sets the default again. */
export interface ConnectionSettings {
  /** The calendar that bookings are written to. */
  booking_calendar_id?: string | null | undefined;
  /** Minutes between two meetings. */
  buffer_minutes?: number | null | undefined;
  /** The hour by which the last meeting ends; 24 for midnight. */
  business_close_hour?: number | null | undefined;
  /** The hour at which the first meeting may begin. */
  business_open_hour?: number | null | undefined;
  /** The calendars whose events block slots. */
  calendar_ids?: Array<string> | null | undefined;
  /** Whether slots are offered. */
  is_active?: boolean | null | undefined;
  /** Minutes of a meeting. */
  slot_minutes?: number | null | undefined;
  /** The time zone of business hours. */
  timezone?: string | null | undefined;
  /** Whether meetings are limited to Monday to Friday. */
  weekdays_only?: boolean | null | undefined;
}

/** Whether contact details may be stored. */
export interface ConsentSubmission {
  /** The visitor’s choice; withdrawn for a no after a yes. */
  consent: 'granted' | 'denied' | 'withdrawn';
}

/** A contact field that the model extracts from conversations. */
export interface ContactFieldDef {
  /** The name of the field in data. */
  key: string;
  /** The name of the field for people. */
  label: string;
  /** The options of a select field. */
  options?: Array<string> | null | undefined;
  /** The field’s type. */
  type?: 'text' | 'email' | 'phone' | 'select' | 'number' | undefined;
}

/** A visitor of a bot with known contact details. */
export interface ContactRead {
  /** The contact’s id. */
  id: string;
  /** The bot that the visitor talked to first. */
  bot_id: string;
  /** The page’s id of the visitor, from the first conversation. */
  visitor_id: string;
  /** The sub of the visitor’s identity tokens; null if the visitor is not verified. */
  identity: string | null;
  /** The visitor’s name. */
  name: string | null;
  /** E-mail address. */
  email: string | null;
  /** Whether the address comes from an identity token. */
  email_verified: boolean;
  /** Phone number. */
  phone: string | null;
  /** ISO 3166 code of the country, if known. */
  country: string | null;
  /** Further details by the keys of their fields. */
  custom_fields: Record<string, unknown>;
  /** Free labels, to filter lists by. */
  tags: Array<string>;
  /** Whether the visitor has left contact details. */
  is_lead: boolean;
  /** Start of the first conversation. */
  first_seen_at: string;
  /** Sessions with all bots, including those without a visitor message. */
  conversation_count: number;
  /** Messages of both sides in all of them. */
  message_count: number;
  /** Time of the visitor’s last activity, to the minute. */
  last_seen_at: string;
}

/** The fields to change; null clears a field. */
export interface ContactUpdate {
  /** The visitor’s name. */
  name?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** Phone number. */
  phone?: string | null | undefined;
  /** Further details; replaces all existing ones. At most 64 keys, 16384 bytes of JSON and 5 levels. */
  custom_fields?: Record<string, unknown> | undefined;
  /** Free labels, to filter lists by. */
  tags?: Array<string> | undefined;
  /** Whether to count the visitor among the leads. */
  is_lead?: boolean | undefined;
}

export interface ContactUpdatedEventData {
  contact_id: string;
  bot_id: string;
  changed: Array<string>;
  /** The new value of each that changed. */
  values: Record<string, unknown>;
  /** The contact that was merged into this one and is gone. */
  merged_contact_id?: string | undefined;
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

/** A conversation with its messages and token totals. */
export interface ConversationDetail {
  /** The conversation’s id. */
  id: string;
  /** The bot that was talked to. */
  bot_id: string;
  /** The page’s id of the visitor. */
  visitor_id: string;
  /** The state that it is in. */
  status: 'active' | 'waiting_human' | 'human' | 'ended' | (string & {});
  /** Whether the visitor has agreed to be recorded. */
  consent: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {});
  /** Id of the visitor’s contact. */
  contact_id: string | null;
  /** Name of the contact. */
  contact_name: string | null;
  /** E-mail address of the contact. */
  contact_email: string | null;
  /** Phone number of the contact. */
  contact_phone: string | null;
  /** Fields extracted from the conversation. */
  custom_fields: Record<string, unknown>;
  /** Whether the visitor has left contact details. */
  is_lead: boolean;
  /** Messages of both sides. */
  message_count: number;
  /** The page on which it began. */
  page_url: string | null;
  /** The visitor’s rating, 1 to 5. */
  rating: number | null;
  /** Whether the team has marked it as resolved. */
  resolved: boolean | null;
  /** The visitor’s mood, as a model read it. */
  sentiment: string | null;
  /** A summary in a few sentences. */
  summary: string | null;
  /** The topic, in a few words. */
  title: string | null;
  /** The first 200 characters of the visitor’s first message. */
  first_question: string | null;
  /** The first 200 characters of the last message. */
  last_message: string | null;
  /** The author’s role of the last message. */
  last_message_role: 'user' | 'assistant' | 'agent' | (string & {}) | null;
  /** Cost of its answers. */
  total_cost_usd: number;
  /** Start time. */
  started_at: string;
  /** Time of the last message. */
  last_message_at: string;
  /** Time of its end; null while it is open. */
  ended_at: string | null;
  /** The first 500; listConversationMessages reads on. */
  messages: Array<MessageRead>;
  /** The page that led to the one on which it began. */
  referrer: string | null;
  /** Tokens that models have read for it. */
  total_input_tokens: number;
  /** Tokens that they have written. */
  total_output_tokens: number;
}

export interface ConversationEndedEventData {
  conversation_id: string;
  bot_id: string;
  visitor_id: string;
  page_url: string | null;
  ended_at: string;
  message_count: number;
  ended_by: 'visitor' | 'sweep' | (string & {});
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

/** A visitor’s conversation with a bot. */
export interface ConversationRead {
  /** The conversation’s id. */
  id: string;
  /** The bot that was talked to. */
  bot_id: string;
  /** The page’s id of the visitor. */
  visitor_id: string;
  /** The state that it is in. */
  status: 'active' | 'waiting_human' | 'human' | 'ended' | (string & {});
  /** Whether the visitor has agreed to be recorded. */
  consent: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {});
  /** Id of the visitor’s contact. */
  contact_id: string | null;
  /** Name of the contact. */
  contact_name: string | null;
  /** E-mail address of the contact. */
  contact_email: string | null;
  /** Phone number of the contact. */
  contact_phone: string | null;
  /** Fields extracted from the conversation. */
  custom_fields: Record<string, unknown>;
  /** Whether the visitor has left contact details. */
  is_lead: boolean;
  /** Messages of both sides. */
  message_count: number;
  /** The page on which it began. */
  page_url: string | null;
  /** The visitor’s rating, 1 to 5. */
  rating: number | null;
  /** Whether the team has marked it as resolved. */
  resolved: boolean | null;
  /** The visitor’s mood, as a model read it. */
  sentiment: string | null;
  /** A summary in a few sentences. */
  summary: string | null;
  /** The topic, in a few words. */
  title: string | null;
  /** The first 200 characters of the visitor’s first message. */
  first_question: string | null;
  /** The first 200 characters of the last message. */
  last_message: string | null;
  /** The author’s role of the last message. */
  last_message_role: 'user' | 'assistant' | 'agent' | (string & {}) | null;
  /** Cost of its answers. */
  total_cost_usd: number;
  /** Start time. */
  started_at: string;
  /** Time of the last message. */
  last_message_at: string;
  /** Time of its end; null while it is open. */
  ended_at: string | null;
}

export interface ConversationStartedEventData {
  conversation_id: string;
  bot_id: string;
  visitor_id: string;
  page_url: string | null;
  started_at: string;
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

/** An owner-supplied endpoint with a chat-completion interface. */
export interface CustomEndpointConfig {
  /** Receives chat-completion requests; a public https address. */
  endpoint_url: string;
  /** The header that carries the credential, e.g. Authorization. */
  auth_header_name?: string | null | undefined;
  /**
   * Stored encrypted, never returned. When omitted, the saved value stays for the same origin. A trial uses it
   * only with the saved URL and header name; send it again to try others.
   */
  auth_header_value?: string | null | undefined;
  /** The model that requests name. */
  model?: string | null | undefined;
  /** Path to the answer in the response, e.g. choices.0.message.content. */
  response_path?: string | null | undefined;
}

/** The endpoint without the secret of its auth header. */
export interface CustomEndpointConfigRead {
  /** The URL for chat-completion requests. */
  endpoint_url: string;
  /** The header that carries the credential. */
  auth_header_name: string | null;
  /** Whether a credential is stored. */
  has_auth_header_value: boolean;
  /** The model that requests name. */
  model: string | null;
  /** Path to the answer in the response. */
  response_path: string | null;
}

/** Colours for visitors whose system uses dark mode. */
export interface DarkPalette {
  /** Launcher, buttons and the visitor’s bubbles. */
  primary_color?: string | null | undefined;
  /** Text of the visitor’s messages. */
  user_bubble_text?: string | null | undefined;
  /** Background of the bot’s messages. */
  bot_bubble_bg?: string | null | undefined;
  /** Text of the bot’s messages. */
  bot_bubble_text?: string | null | undefined;
  /** Background of the conversation. */
  messages_bg?: string | null | undefined;
  /** Background of header and input. */
  panel_bg?: string | null | undefined;
  /** Borders. */
  border_color?: string | null | undefined;
  [name: string]: unknown;
}

/** An attempt to deliver an event. */
export interface DeliveryAttempt {
  /** Counts from 1. */
  number: number;
  /** Time of the attempt; null if unknown. */
  at: string | null;
  /** Whether the receiver accepted it. */
  outcome: 'delivered' | 'failed' | (string & {});
  /** Why it failed, as `code: sentence`. */
  reason: string | null;
  /** The HTTP status of the response. */
  response_status: number | null;
  /** Its duration. */
  duration_ms: number | null;
}

/** A category and a choice that resolve to a link. */
export interface DirectoryConfig {
  /** The contact field that keeps the category. */
  category_field?: string | undefined;
  /** The label of the category. */
  category_label?: string | undefined;
  /** The contact field that keeps the choice. */
  choice_field?: string | undefined;
  /** The label of the choice. */
  choice_label?: string | undefined;
  /** The contact field that keeps the link. */
  result_field?: string | undefined;
  /** Whether the directory is shown. */
  enabled?: boolean | undefined;
  /** All choices. */
  entries?: Array<DirectoryEntry> | undefined;
}

/** A choice of the directory and its link. */
export interface DirectoryEntry {
  /** The choice, as visitors read it. */
  name: string;
  /** The category it belongs to. */
  category?: string | undefined;
  /** The link of the choice: http, https, mailto or tel. Empty for no link. */
  link?: string | undefined;
  /** Anything worth keeping with the entry. At most 64 keys, 16384 bytes of JSON and 5 levels. */
  metadata?: Record<string, unknown> | undefined;
}

/** A choice of the directory, as a visitor writes it. */
export interface DirectoryResolveRequest {
  /** The chosen category; empty if choices have no category. */
  category?: string | undefined;
  /** The name of the choice; capitals and spaces do not matter. */
  choice: string;
}

/** Target of a choice in the directory. */
export interface DirectoryResolveResponse {
  /** The category, as the directory writes it. */
  category: string;
  /** The choice, as the directory writes it. */
  choice: string;
  /** The link of the choice; empty if it has none. */
  link: string;
}

/** A new source of knowledge. */
export interface DocumentCreate {
  /** The source of the content. */
  source_type: 'url' | 'raw_text' | 'sitemap';
  /** A public page; for a sitemap source the address of a site or of its sitemap. Required by both. */
  url?: string | null | undefined;
  /** Plain text or Markdown; required by raw_text sources. */
  raw_text?: string | null | undefined;
  /** Empty to use the title in the source. */
  title?: string | undefined;
  /** How often a url or sitemap source is re-read automatically; other sources must omit it. */
  refresh?: 'none' | 'daily' | 'weekly' | undefined;
  /** Free labels, to filter lists and searches by. */
  tags?: Array<string> | undefined;
  /** Maximum number of pages for a sitemap source. */
  max_pages?: number | undefined;
}

/** A short-lived link to an original. */
export interface DocumentDownload {
  /** A link that lets its holder fetch the file until it expires. */
  url: string;
  /** Seconds until the link expires. */
  expires_in: number;
  /** The name to save it by. */
  filename: string;
  /** Media type of the file. */
  mime_type: string | null;
}

export interface DocumentFailedEventData {
  document_id: string;
  bot_id: string;
  title: string;
  source_type: string;
  source_url: string | null;
  reason: string;
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

export interface DocumentIndexedEventData {
  document_id: string;
  bot_id: string;
  title: string;
  source_type: string;
  source_url: string | null;
  chunk_count: number;
  token_count: number;
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

/** A document; the pages of a sitemap are documents of their own. */
export interface DocumentRead {
  /** The document’s id. */
  id: string;
  /** The source of the content. */
  source_type: 'url' | 'raw_text' | 'sitemap' | 'file' | (string & {});
  /** The title in lists and citations. */
  title: string;
  /** indexed and failed are final. */
  status: 'pending' | 'processing' | 'indexed' | 'failed' | (string & {});
  /** Passages that answers can be drawn from. */
  chunk_count: number;
  /** Tokens in them. */
  token_count: number;
  /** The model of their vectors; null without any. */
  embedding_model: string | null;
  /** Why the indexing failed, or what it skipped: pages of a site, or pages of a PDF without text. */
  error_message: string | null;
  /** Media type of the original. */
  mime_type: string | null;
  /** Size of the original. */
  size_bytes: number;
  /** Its source. */
  source_url: string | null;
  /** For a page of a sitemap source: the id of that source; null for others. */
  parent_id: string | null;
  /** For a sitemap: the results of its last crawl by page. The sitemap’s own counts are then the sums of theirs. */
  crawl?: DocumentReadCrawl | undefined;
  /** How often a url or sitemap source is re-read automatically; other sources must omit it. */
  refresh: 'none' | 'daily' | 'weekly' | (string & {});
  /** Free labels, to filter lists and searches by. */
  tags: Array<string>;
  /** When it was added. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** For a sitemap: the results of its last crawl by page. The sitemap’s own counts are then the sums of theirs. */
export interface DocumentReadCrawl {
  /** Pages in the sitemap; without a sitemap, pages found by following links. */
  found: number;
  /** Found pages that were indexed. */
  fetched: number;
  /**
   * Pages that were left out: beyond max_pages, on another site, refused by robots.txt or noindex, or there by
   * another address.
   */
  skipped: number;
  /** Pages that could not be fetched or read. */
  failed: number;
  /** Fetched pages without a change. */
  unchanged?: number | undefined;
  /** Former pages that are gone from the site, and so were removed. */
  removed?: number | undefined;
  /** The first pages that failed, were skipped or removed; 50 at most. */
  left_out?: Array<DocumentReadCrawlLeftOutItem> | undefined;
}

export interface DocumentReadCrawlLeftOutItem {
  /** The page. */
  url: string;
  /** Why it is not there. */
  reason: string;
}

/** The progress of indexing; poll it until the status is final. */
export interface DocumentStatusRead {
  /** The document’s id. */
  id: string;
  /** indexed and failed are final. */
  status: 'pending' | 'processing' | 'indexed' | 'failed' | (string & {});
  /** Passages that answers can be drawn from. */
  chunk_count: number;
  /** Why the indexing failed, or what a crawl skipped. */
  error_message: string | null;
  /** For a sitemap: the progress of the current crawl, or the result of the last one; null for others. */
  progress: DocumentStatusReadProgress | null;
}

/** For a sitemap: the progress of the current crawl, or the result of the last one; null for others. */
export interface DocumentStatusReadProgress {
  /** Pages found so far. */
  found: number;
  /** Found pages that are indexed. */
  indexed: number;
  /** Pages that could not be fetched or read. */
  failed: number;
  /** Pages that are left out. */
  skipped: number;
}

/** The fields to change; nothing is indexed again. */
export interface DocumentUpdate {
  /** The title in lists and citations. */
  title?: string | undefined;
  /** How often a url or sitemap source is re-read automatically; other sources must omit it. */
  refresh?: 'none' | 'daily' | 'weekly' | undefined;
  /** Free labels, to filter lists and searches by. */
  tags?: Array<string> | undefined;
}

/** An e-mail address. The response does not reveal whether it is known. */
export interface EmailOnlyRequest {
  /** E-mail address; capital letters do not matter. */
  email: string;
}

/** A mail preference. */
export interface EmailPreference {
  /** A kind of mail, which people can turn off. */
  category: 'leads' | 'handoff' | 'content' | 'usage' | 'health' | 'digest' | 'product' | 'bookings' | (string & {});
  /** When such mail is sent. */
  description: string;
  /** Whether you get such mail. */
  enabled: boolean;
  /** Whether Parley sends such mail yet. */
  is_sent: boolean;
}

/** Your mail preferences. Mail about security and billing is always sent. */
export interface EmailPreferences {
  /** All eight. */
  categories: Array<EmailPreference>;
}

/** Which kinds of mail to turn on or off. */
export interface EmailPreferencesUpdate {
  /** Categories to change; absent ones stay unchanged. */
  categories: EmailPreferencesUpdateCategories;
}

/** Categories to change; absent ones stay unchanged. */
export interface EmailPreferencesUpdateCategories {
  /** A visitor left their contact details. */
  leads?: boolean | undefined;
  /** A visitor asked for a person. */
  handoff?: boolean | undefined;
  /** A document or site could not be read, or needs another look. */
  content?: boolean | undefined;
  /** A bot has used up its answers of the month, or the plan its messages, or soon will. */
  usage?: boolean | undefined;
  /** Something stopped working, such as a webhook endpoint that was disabled. */
  health?: boolean | undefined;
  /** What the week has brought in your workspaces, on Mondays. */
  digest?: boolean | undefined;
  /** News about what is new in Parley. */
  product?: boolean | undefined;
  /** A meeting was booked, moved or cancelled. */
  bookings?: boolean | undefined;
}

/** The token of the link, and the credentials of its account. */
export interface EmailVerifyRequest {
  /** The token of the mailed link. */
  token: string;
  /**
   * The password of the registration. Without it all credentials of the account become void, since another person
   * may have registered it.
   */
  password?: string | null | undefined;
  /** A new password, if you do not have that of the registration. */
  new_password?: string | null | undefined;
}

/** Instructions for embedding the widget in a page. */
export interface EmbedSnippetRead {
  /** Paste it before </body>. */
  snippet: string;
  /** Identifies the bot in it. */
  public_key: string;
  /**
   * Hosts that may embed the widget, exact or *.host, on any port or on a given one. Null allows all, an empty
   * list none.
   */
  allowed_domains: Array<string> | null;
  /**
   * Signs the identity tokens of the bot’s visitors, on your server only; null for callers who may not change the
   * bot, and for sessions that began more than ten minutes ago.
   */
  identity_secret: string | null;
  /** Time until which the previous secret stays valid after a rotation; null if there is none. */
  former_identity_secret_until: string | null;
}

/** The encryption of the workspace’s content. */
export interface EncryptionState {
  /**
   * platform: encrypted with the operator’s keys, or readable. tenant: encrypted with keys that only the
   * workspace’s own key service can decrypt.
   */
  mode: 'platform' | 'tenant' | (string & {});
  /**
   * The consequences of the mode, one per sentence; then, if any, the progress of background work and the last
   * response of the key service.
   */
  consequences: Array<string>;
  /** Whether the background work of a mode switch or rotation is unfinished. */
  sealing: boolean;
  /** Time at which the workspace’s current key was created; null without one. */
  key_created_at: string | null;
}

/** The owner of the key that encrypts content. */
export interface EncryptionUpdate {
  /**
   * platform: encrypted with the operator’s keys, or readable. tenant: encrypted with keys that only the
   * workspace’s own key service can decrypt.
   */
  mode: 'platform' | 'tenant';
}

/** The meaning of an error code. */
export interface ErrorPage {
  /** The code of the error. */
  code: 'malformed_request' | 'malformed_json' | 'unsupported_version' | 'unauthenticated' | 'quota_exceeded' | 'forbidden' | 'fresh_proof_required' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'idempotency_in_progress' | 'handoff_disabled' | 'last_owner' | 'last_sign_in_method' | 'slot_taken' | 'payload_too_large' | 'unsupported_media_type' | 'validation_error' | 'idempotency_key_reused' | 'hierarchy_too_deep' | 'url_refused' | 'key_unavailable' | 'rate_limited' | 'internal_error' | 'not_ready' | (string & {});
  /** The HTTP status of the response. */
  status: number;
  /** The meaning, in a few words. */
  title: string;
  /** How to fix it. */
  help: string;
}

/** An event that can be sent, with its body. */
export interface EventDescriptor {
  /** Name of the event. */
  name: 'conversation.started' | 'conversation.ended' | 'message.created' | 'lead.captured' | 'contact.updated' | 'document.indexed' | 'document.failed' | 'handoff.requested' | (string & {});
  /** Time of the event. */
  description: string;
  /** batched: deliveries of an endpoint go out together every two seconds, one request each. */
  delivery: 'immediate' | 'batched' | (string & {});
  /** A whole request body. */
  example: Record<string, unknown>;
  /** JSON Schema of the request body. */
  schema: Record<string, unknown>;
}

/** The events that an endpoint wants from now on. */
export interface EventsUpdate {
  /** The events to send. */
  events: Array<'conversation.started' | 'conversation.ended' | 'message.created' | 'lead.captured' | 'contact.updated' | 'document.indexed' | 'document.failed' | 'handoff.requested'>;
}

/** Time from a message to the first text of a model, for answers in the range. */
export interface FirstTextPercentiles {
  /** The median, to 5 %; null without values. */
  p50: number | null;
  /** The 90th percentile, to 5 %; null without values. */
  p90: number | null;
}

/** A problem that prevents the activation of a flow. */
export interface FlowFault {
  /** Its location in the graph. */
  field: string;
  /** A description for people, with the node’s name. */
  message: string;
}

/** The input that a flow waits for. */
export interface FlowInput {
  /** The node that asks. */
  node_id: string;
  /** The kind of input. */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** The options. */
  options: Array<FlowInputOptionsItem>;
}

export interface FlowInputOptionsItem {
  /** The value for `option_id`. */
  id: string;
  /** The label shown to the visitor. */
  label: string;
}

/** A message of a trial. */
export interface FlowMessage {
  /** The author’s role. */
  role: 'user' | 'assistant' | (string & {});
  /** The text, in Markdown; all that a turn says is one message. */
  content: string;
  /** The input that a flow waits for. */
  input?: FlowInput | undefined;
}

/** A conversation that a bot leads by plan. */
export interface FlowRead {
  /** The flow’s id. */
  id: string;
  /** The workspace that it belongs to. */
  org_id: string;
  /** The bot that it is for. */
  bot_id: string;
  /** Its display name. */
  name: string;
  /** For the team. */
  description: string | null;
  /** The trigger; null if only other flows start it. */
  trigger: string | null;
  /** Its steps and the connections between them. A secret header has `has_value` instead of its value. */
  graph: Record<string, unknown>;
  /** Whether its trigger fires. */
  is_active: boolean;
  /** The version: starts at 1, and increases with each change of the graph. */
  revision: number;
  /** Time of creation. */
  created_at: string;
  /** When it was saved last. */
  updated_at: string;
  /** When it was activated last. */
  activated_at: string | null;
}

/** A complete flow: omitted fields become empty. */
export interface FlowSave {
  /** The flow’s bot; it cannot be changed. */
  bot_id: string;
  /** Its display name. */
  name: string;
  /**
   * Its steps and the connections between them: `{version: 1, nodes: [{id, type, position?, data}], edges:
   * [{source, port?, target}]}`, at most 100 nodes, 300 edges and 200 KB.
   */
  graph: Record<string, unknown>;
  /** For the team. */
  description?: string | null | undefined;
  /**
   * The trigger: `conversation_started`, `first_message`, `keyword:refund,money back`, `page:/pricing*` or
   * `no_answer`; null if only other flows start it.
   */
  trigger?: string | null | undefined;
}

/** A step of a trial run. */
export interface FlowStep {
  /** The node. */
  node_id: string;
  /** Its type. */
  type: string;
  /** The port that it was left by; null where it was not. */
  port: string | null;
  /** The visitor’s input. */
  input: string | null;
  /** Its messages. */
  output: string | null;
  /** Additional details. */
  note: string | null;
  /** Variables that got these values; null for one that is gone. */
  changed: Record<string, unknown>;
}

/** The input of a trial run. */
export interface FlowTestRequest {
  /** The visitor’s message before the flow starts: `last_message` until the first input. */
  message?: string | undefined;
  /** The visitor’s inputs for each time the flow waits, in order. */
  inputs?: Array<string | FlowTestRequestInputsItem> | undefined;
  /** Variables at the start. */
  variables?: Record<string, unknown> | undefined;
  /** The values for paths that start with `contact`. */
  contact?: Record<string, unknown> | undefined;
  /** The page that the visitor is on. */
  page_url?: string | null | undefined;
  /** A graph to run instead of the saved one, which stays unchanged. */
  graph?: Record<string, unknown> | undefined;
  /**
   * Simulated results of steps with external calls, by node id: `{"ask_shop": {"port": "out", "body": {"state":
   * "sent"}}}`.
   */
  samples?: Record<string, unknown> | undefined;
  /** Whether to call the bot’s model, at its usual price, if there is no sample. */
  use_model?: boolean | undefined;
  /** Steps at most. */
  max_steps?: number | undefined;
}

/** A text, or an option that is picked. */
export interface FlowTestRequestInputsItem {
  /** The option’s id. */
  option_id: string;
}

/** The result of a trial run. */
export interface FlowTestResponse {
  /** The result; waiting: it needs an input that was not provided. */
  outcome: 'completed' | 'waiting' | 'handed_over' | 'failed' | (string & {});
  /** The steps that were taken, in order. */
  path: Array<FlowStep>;
  /** The messages of the flow. */
  messages: Array<FlowMessage>;
  /** The variables as they were in the end. */
  variables: Record<string, unknown>;
  /** The input that it waits for; null if it does not wait. */
  waiting_for: FlowTestResponseWaitingFor | null;
  /** Why it failed; null where it did not. */
  error: FlowTestResponseError | null;
  /** Actions that were skipped because this is a trial run. */
  warnings: Array<string>;
  /** Problems that prevent activation, as in `activateFlow`; empty if there are none. */
  lacking: Array<FlowFault>;
}

/** Why it failed; null where it did not. */
export interface FlowTestResponseError {
  /** The node that it ended at. */
  node_id: string;
  /** The kind of failure. */
  code: string;
  /** A description for people. */
  message: string;
}

/** The input that it waits for; null if it does not wait. */
export interface FlowTestResponseWaitingFor {
  /** The node that asks. */
  node_id: string;
  /** The kind of input. */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** The options. */
  options: Array<FlowTestResponseWaitingForOptionsItem>;
}

export interface FlowTestResponseWaitingForOptionsItem {
  /** The value for `option_id`. */
  id: string;
  /** The label shown to the visitor. */
  label: string;
}

/** A two-stop linear gradient for launcher and header. */
export interface Gradient {
  /** The start colour of the gradient. */
  from_color: string;
  /** The end colour of the gradient. */
  to_color: string;
  /** Its direction in degrees. */
  angle?: number | undefined;
}

/**
 * How visitors are handed over to people. Further keys are stored and returned as sent, at most 64 keys, 16384
 * bytes of JSON and 5 levels of them.
 */
export interface HandoffConfig {
  /** Text shown to visitors while they wait for a person. */
  waiting_message?: string | null | undefined;
  /**
   * Text shown to visitors who ask outside the hours; the widget adds when people are back, and whether the
   * request is accepted.
   */
  closed_message?: string | null | undefined;
  /** The hours at which people answer visitors. */
  hours?: HandoffHours | null | undefined;
  /** Whether a request outside the hours is queued; otherwise it is refused and the bot continues. */
  accepts_when_closed?: boolean | undefined;
  /**
   * Members to mail when a visitor waits, by user_id or e-mail address; they must be allowed to answer visitors.
   * Null, or if none of them is left: all who are allowed to. Empty: no mail.
   */
  notify?: Array<string> | null | undefined;
  [name: string]: unknown;
}

/** The hours at which people answer visitors. */
export interface HandoffHours {
  /** The time zone of the clocks, by its name in the IANA database. */
  timezone: string;
  /** The hours at which people answer. */
  periods: Array<HandoffPeriod>;
}

/** Hours that are the same on some days. */
export interface HandoffPeriod {
  /** The days that it is for. */
  days: Array<'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'>;
  /** Start time. */
  opens: string;
  /** End, later than the start; 24:00 for the end of the day. */
  closes: string;
}

/** A visitor’s request for a person. */
export interface HandoffRequest {
  /** The visitor’s request, for the team to read. */
  reason?: string | null | undefined;
}

export interface HandoffRequestedEventData {
  conversation_id: string;
  bot_id: string;
  reason: string | null;
  requested_by: 'visitor' | 'flow' | (string & {});
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

/** Whether the service, or a part of it, is available. */
export interface HealthRead {
  /** failing: at least one part does not answer. */
  status: 'ok' | 'failing' | (string & {});
  /**
   * The checked parts; empty for liveness. Workflows may be unavailable while all others are ready; workflow tasks
   * then wait.
   */
  checks: Record<string, 'ok' | 'failing' | 'unavailable' | (string & {})>;
}

/** A workspace with its sub-workspaces. */
export interface HierarchyNode {
  /** The workspace’s id. */
  id: string;
  /** Its display name. */
  name: string;
  /** Its name in addresses. */
  slug: string;
  /** Its plan. */
  plan_tier: string;
  /** Whether its keys and bots work. */
  is_active: boolean;
  /** Depth in the hierarchy: 0 for a top-level workspace; at most 4. */
  depth: number;
  /** The workspaces right below it, oldest first. */
  children: Array<HierarchyNode>;
}

/** The parameters with which an identity provider redirects back. */
export interface IdentityCallbackRequest {
  /** The `code` parameter of the redirect. */
  code: string;
  /** The value from the start; works once. */
  code_verifier: string;
  /** The value from the start; always checked. */
  nonce?: string | null | undefined;
  /** The `state` parameter of the redirect; must equal that of the start. */
  state?: string | null | undefined;
  /** The `iss` parameter of the redirect; must be the provider’s issuer (RFC 9207). */
  iss?: string | null | undefined;
}

/** An account at an identity provider, linked to one here. */
export interface IdentityRead {
  /** Name of the identity provider. */
  provider: string;
  /** E-mail address of the account there. */
  email: string | null;
  /** Time at which it was linked. */
  created_at: string;
  /** Time of the last sign-in with it. */
  last_login_at: string | null;
}

/**
 * The authorization URL of an identity provider. Store state, nonce and code_verifier until the person returns,
 * within ten minutes unless configured otherwise.
 */
export interface IdentityStartResponse {
  /** The URL to redirect the person to. */
  authorization_url: string;
  /** The `state` that the redirect back must carry. */
  state: string;
  /** The `nonce` that the ID token will contain. */
  nonce: string;
  /** PKCE verifier: proves that the browser that returns is the one that started. */
  code_verifier: string;
  /** The redirect URI, which gets `code` and `state`. */
  redirect_uri: string;
}

/** The new assignee of a conversation. */
export interface InboxAssignRequest {
  /** The assignee’s id; the caller (me); or null to unassign it. */
  assigned_to_id: string | null;
}

/** A conversation that a person is asked for or has. */
export interface InboxItem {
  /** The conversation’s id. */
  id: string;
  /** The bot that was talked to. */
  bot_id: string;
  /** The page’s id of the visitor. */
  visitor_id: string;
  /** Time at which a member took it. */
  assigned_at: string | null;
  /** The member who has it; null while it waits. */
  assigned_to_id: string | null;
  /** Name of the member. */
  assigned_to_name: string | null;
  /** E-mail address of the contact. */
  contact_email: string | null;
  /** Name of the contact. */
  contact_name: string | null;
  /** The visitor’s request to the team. */
  handoff_reason: string | null;
  /** Time at which a person was requested or took over; null once the bot has it again. */
  handoff_requested_at: string | null;
  /** The page on which the conversation began. */
  page_url: string | null;
  /** The topic, in a few words. */
  title: string | null;
  /** The first 200 characters of the visitor’s first message. */
  first_question: string | null;
  /** The first 200 characters of the last message. */
  last_message: string | null;
  /** The author’s role of the last message. */
  last_message_role: 'user' | 'assistant' | 'agent' | (string & {}) | null;
  /** Time of the last message. */
  last_message_at: string | null;
  /** Time of the last request from the visitor’s page. */
  visitor_seen_at: string | null;
  /** Messages of all sides. */
  message_count: number;
  /** Whether the visitor is still present. */
  visitor_present: boolean;
  /** Time the visitor waited for a member, or has been waiting. */
  waiting_seconds: number;
}

/** It has left the inbox: the bot has it again, it has ended, or it is deleted. */
export interface InboxRemoved {
  /** The conversation’s id. */
  id: string;
}

/** A message of the team. */
export interface InboxReplyRequest {
  /** The message to the visitor; not only white space. */
  content: string;
}

/** An invitation to a workspace. */
export interface InvitationCreate {
  /** The address that the link is mailed to. */
  email: string;
  /** The role to assign. */
  role?: 'admin' | 'member' | 'viewer' | undefined;
}

/** Details of an invitation, for the holder of its link. */
export interface InvitationPreview {
  /** The workspace’s name. */
  organization_name: string;
  /** Its name in addresses. */
  organization_slug: string;
  /** The address that is invited. */
  email: string;
  /** owner: everything; admin: everything not reserved for the owner; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
  /** Time at which the link expires. */
  expires_at: string;
  /** Whether an account with this address exists, which then must sign in. */
  has_account: boolean;
  /** The inviter’s name. */
  invited_by: string | null;
  /**
   * Whether the link was shared: accepting it requires signing in to an account with the confirmed address.
   * has_account does not reveal whether one exists.
   */
  takes_account: boolean;
}

/** An invitation into a workspace. */
export interface InvitationRead {
  /** The invitation’s id. */
  id: string;
  /** The address that the link was mailed to. */
  email: string;
  /** The role to assign. */
  role: string;
  /** pending: the link can be used; accepted, expired, revoked: it cannot any more. */
  status: 'pending' | 'accepted' | 'expired' | 'revoked' | (string & {});
  /** Time at which the link expires. */
  expires_at: string;
  /** Time of the first invitation. */
  created_at: string;
  /** Time at which the person joined. */
  accepted_at: string | null;
  /** The inviter’s name; empty if the account was deleted. */
  invited_by: string;
  /**
   * Status of the mail with the current link; null until it is queued. pending: being sent; kept: shown at
   * /dev/mail, since no mail server is configured; suppressed: the address is blocked; refused, failed: it was not
   * delivered.
   */
  mail_state: 'pending' | 'sent' | 'kept' | 'suppressed' | 'withdrawn' | 'refused' | 'failed' | (string & {}) | null;
  /** Time of the reminder, which is sent once per link. */
  reminded_at: string | null;
  /**
   * A link to share, only in the response to creating or resending; otherwise null. Unlike the mailed link, it
   * requires an account with this confirmed address.
   */
  link: string | null;
}

/** A chunk that shares words with the query, and is not relevant to it. */
export interface KnowledgeNearHit {
  /** The document. */
  document_id: string;
  /** The part of the document. */
  chunk_id: string;
  /** Title of the document. */
  title: string;
  /** The document’s source. */
  source_url: string | null;
  /** The text of the chunk. */
  text: string;
  /** The chunk’s score; results are sorted by it, best first. */
  score: number;
  /** The ways in which it was found. */
  matched_by: Array<'text' | 'vector' | (string & {})>;
  /** The relevance of the chunk to the query; less than `relevance_line`. */
  relevance: number;
}

/** A chunk that is relevant to the query. */
export interface KnowledgeSearchHit {
  /** The document. */
  document_id: string;
  /** The part of the document. */
  chunk_id: string;
  /** Title of the document. */
  title: string;
  /** The document’s source. */
  source_url: string | null;
  /** The text of the chunk. */
  text: string;
  /** The chunk’s score; results are sorted by it, best first. */
  score: number;
  /** The ways in which it was found. */
  matched_by: Array<'text' | 'vector' | (string & {})>;
}

/** A search in a bot’s documents. */
export interface KnowledgeSearchRequest {
  /** A question in a person’s words; nothing in it is an operator. */
  query: string;
  /** Chunks at most. */
  limit?: number | undefined;
  /** Only documents with one of these tags; all if empty. */
  tags?: Array<string> | undefined;
}

/** The best chunks, as the bot itself would see them. */
export interface KnowledgeSearchResponse {
  /** Empty where nothing is relevant. */
  items: Array<KnowledgeSearchHit>;
  /** The search text: the query itself, since no conversation precedes it. */
  searched_for: string;
  /**
   * If nothing is relevant: the nearest chunks, which the bot itself does not see. Absent if no chunk has a word
   * of the query or a vector.
   */
  nearest?: Array<KnowledgeNearHit> | undefined;
  /** Present with `nearest`: the minimum `relevance` of a relevant chunk. */
  relevance_line?: number | undefined;
}

/** Time from a message to the complete answer, for answers in the range. */
export interface LatencyPercentiles {
  /** The median, to 5 %; null without values. */
  p50: number | null;
  /** The 90th percentile, to 5 %; null without values. */
  p90: number | null;
}

/** When the widget asks for contact details, and for which ones. */
export interface LeadCaptureConfig {
  /** Whether the widget asks at all. */
  enabled?: boolean | undefined;
  /** The fields of the form. */
  fields?: Array<LeadCaptureField> | undefined;
  /** A sentence above the fields. */
  intro?: string | null | undefined;
  /** The heading of the form. */
  title?: string | null | undefined;
  /** When the form appears; manual: when the page opens it. */
  trigger?: 'before_chat' | 'after_n_messages' | 'manual' | undefined;
  /** After how many messages, for after_n_messages. */
  trigger_value?: number | null | undefined;
}

/** A field of the lead form. */
export interface LeadCaptureField {
  /** The name of the field in data. */
  key: string;
  /** The name of the field for people. */
  label: string;
  /** Shown while the field is empty. */
  placeholder?: string | null | undefined;
  /** Whether the field is required. */
  required?: boolean | undefined;
  /** The field’s type. */
  type?: 'text' | 'email' | 'phone' | 'select' | 'number' | undefined;
}

export interface LeadCapturedEventData {
  conversation_id: string;
  bot_id: string;
  contact_id: string;
  fields: Record<string, unknown>;
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

/** The bot’s lead form, filled in. */
export interface LeadSubmission {
  /**
   * Values by the keys of the form’s fields: numbers for number fields, texts for others; null or blank for no
   * value.
   */
  fields: Record<string, unknown>;
}

/** The limits of a plan, shared by a workspace and all below it. */
export interface Limits {
  /** Turns of visitors that bots answer in a month of UTC; null for any number. */
  messages_per_month: number | null;
  /** Documents, including crawled pages; null for any number. */
  documents: number | null;
  /** Bots that are not archived; null for any number. */
  bots: number | null;
  /** People and invitees with more than read access; null for any number. */
  seats: number | null;
  /** Messages to messaging apps in a month of UTC; null for any number. */
  alerts_per_month: number | null;
}

/** Address and password. */
export interface LoginRequest {
  /** E-mail address; capital letters do not matter. */
  email: string;
  /** The present password. */
  password: string;
}

/** The caller. */
export interface MeRead {
  /** The person; for an API key, its creator. */
  user: MeReadUser;
  /** The workspace; null if the person belongs to none. */
  organization: MeReadOrganization | null;
  /** The session, if the caller is signed in. */
  session_id: string | null;
  /** The key, of a call with one. */
  api_key_id: string | null;
  /** The scopes of an API key. */
  scopes: Array<string> | null;
}

/** The workspace; null if the person belongs to none. */
export interface MeReadOrganization {
  /** The workspace’s id. */
  id: string;
  /** Its name. */
  name: string;
  /** Its name in URLs. */
  slug: string;
  /** Its plan. */
  plan_tier: string;
  /** The person’s role there. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
}

/** The person; for an API key, its creator. */
export interface MeReadUser {
  /** The account’s id. */
  id: string;
  /** E-mail address. */
  email: string;
  /** The person’s name. */
  full_name: string;
  /** A picture of the person. */
  avatar_url: string | null;
  /** Whether the person has confirmed the address. */
  is_verified: boolean;
  /** Whether signing in asks for a second factor. */
  mfa_enabled: boolean;
  /** Whether there is a password to sign in with. */
  has_password: boolean;
  /** Time of registration. */
  created_at: string;
}

/** Changes; absent fields stay unchanged. */
export interface MeUpdate {
  /** The person’s name. */
  full_name?: string | undefined;
  /** A picture of the person; null removes it. */
  avatar_url?: string | null | undefined;
  /** The workspace that is selected after signing in. */
  default_org_id?: string | undefined;
}

/** A member of a workspace. */
export interface MemberRead {
  /** The membership’s id. */
  membership_id: string;
  /** The account’s id. */
  user_id: string;
  /** The account’s address. */
  email: string;
  /** The person’s name. */
  full_name: string;
  /** URL of the person’s picture. */
  avatar_url: string | null;
  /** Whether the address is verified. */
  is_verified: boolean;
  /** owner: everything; admin: everything not reserved for the owner; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
  /** Whether the person’s sessions start in this workspace. */
  is_default: boolean;
  /** Time at which the person became a member. */
  joined_at: string;
  /** Time of the person’s last sign-in. */
  last_login_at: string | null;
}

/** The role that a member has from now on. */
export interface MemberRoleUpdate {
  /** owner: everything; admin: everything not reserved for the owner; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer';
}

/** A confirmation. */
export interface Message {
  /** A description for people. */
  message: string;
  /** True on success; failures are problems. */
  ok?: boolean | undefined;
}

export interface MessageCreatedEventData {
  message_id: string;
  conversation_id: string;
  bot_id: string;
  role: 'user' | 'assistant' | 'agent' | 'system' | (string & {});
  content: string;
  citations: Array<MessageCreatedEventDataCitationsItem>;
  is_error: boolean;
  created_at: string;
  event_id: string;
  occurred_at: string;
  /** True in what testWebhook sends, and in its replays; absent from real events. */
  test?: boolean | undefined;
}

export interface MessageCreatedEventDataCitationsItem {
  index: number;
  document_id: string;
  chunk_id: string;
  title: string;
  source_url: string | null;
  quote: string;
}

/** A turn of a conversation. */
export interface MessageRead {
  /** The message’s id. */
  id: string;
  /** The author’s role: agent is a person of the team, and system reports an event. */
  role: 'user' | 'assistant' | 'agent' | 'system' | (string & {});
  /** The text of the message. */
  content: string;
  /** The team member who wrote it, or to whom it refers; visitors see the first name. */
  author_name: string | null;
  /** The event of a system message, for programs; `content` describes it for people. Null for other roles. */
  event: MessageReadEvent | null;
  /** The sources of an answer. */
  citations: Array<Citation> | null;
  /** The input that a flow asks for at its end; null for all other messages. */
  input: MessageReadInput | null;
  /** Whether the model failed to answer. */
  is_error: boolean;
  /** The kind of failure. */
  error_code: string | null;
  /** Time of the message. */
  created_at: string;
  /** Their user id; null once the account is deleted. */
  author_id: string | null;
  /** Time at which a team message was mailed to a visitor who had left; null if it was not. */
  mailed_at: string | null;
  /** The model that answered. */
  model: string | null;
  /** Tokens that the model read. */
  input_tokens: number | null;
  /** Tokens that it wrote. */
  output_tokens: number | null;
  /** Cost of the tokens; null if unknown. */
  cost_usd: number | null;
  /** Time from the question to the complete answer. */
  latency_ms: number | null;
  /** Time from the question to the first text. */
  ttft_ms: number | null;
}

/** The event of a system message, for programs; `content` describes it for people. Null for other roles. */
export interface MessageReadEvent {
  /** The kind of event. */
  kind: 'handoff_requested' | 'agent_joined' | 'handoff_returned' | 'handoff_released' | 'resolved' | 'reopened' | 'ended' | 'lead_captured' | 'consent_changed' | (string & {});
  /** The side that asked for a person (handoff_requested). */
  requested_by?: 'visitor' | 'flow' | (string & {}) | undefined;
  /** The visitor’s request to the team (handoff_requested). */
  reason?: string | null | undefined;
  /** Whether the visitor ended it, or it was inactive for too long (ended). */
  ended_by?: 'visitor' | 'sweep' | (string & {}) | undefined;
  /** Keys of the fields that were filled in (lead_captured). */
  fields?: Array<string> | undefined;
  /** The visitor’s new choice (consent_changed). */
  consent?: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {}) | undefined;
}

/** The input that a flow asks for at its end; null for all other messages. */
export interface MessageReadInput {
  /**
   * The kind of input. form: the bot’s lead form, sent by submitWidgetLead. booking: a time of listWidgetSlots,
   * booked by createWidgetBooking; the flow then continues automatically.
   */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** The options; empty for typed input. */
  options: Array<MessageReadInputOptionsItem>;
}

export interface MessageReadInputOptionsItem {
  /** The value for `option_id`. */
  id: string;
  /** The label shown to the visitor. */
  label: string;
}

/** The configuration and limits of this installation. */
export interface MetaRead {
  /** Name of the service. */
  name: string;
  /** The current API version. */
  version: string;
  /** Limits of this installation. */
  limits: Record<string, number>;
  /** All scopes of API keys. */
  scopes: Array<string>;
  /** Scopes that an operation of this version uses; the others have no effect yet. */
  usable_scopes: Array<string>;
  /** Language tags of the words that visitors get from Parley itself, in the widget and in mails. */
  languages: Array<string>;
  /** Whether a mail server is set, so that mails go out. */
  sends_mail: boolean;
  /** Path of the page with undelivered mails, which needs a token of the operator; null if there is none. */
  mail_page: string | null;
  /** The delivery of alerts, by messaging app. */
  alert_channels: MetaReadAlertChannels;
  /** The available sign-in methods. */
  identity_providers: Array<string>;
}

/** The delivery of alerts, by messaging app. */
export interface MetaReadAlertChannels {
  /**
   * provider: sent as messages. kept: no account is configured, so they are stored with the mails, where the
   * operator can read them. none: not sent.
   */
  telegram: 'provider' | 'kept' | 'none' | (string & {});
  /**
   * provider: sent as messages. kept: no account is configured, so they are stored with the mails, where the
   * operator can read them. none: not sent.
   */
  whatsapp: 'provider' | 'kept' | 'none' | (string & {});
}

/** Shows that the authenticator app has the secret. */
export interface MfaActivateRequest {
  /** The code that the authenticator app shows now. */
  code: string;
}

/** The second factor is asked for. */
export interface MfaChallengeResponse {
  /** Send it with the code of the second factor. */
  challenge_token: string;
  /** Seconds until it expires. */
  expires_in: number;
  /** Always true: an access token is not issued yet. */
  mfa_required: boolean;
  /** Whether a recovery code is accepted, too. */
  recovery_available: boolean;
}

/** Recovery codes, in case the authenticator app is lost. */
export interface MfaCodesResponse {
  /** 10 codes, each good once in the place of the app; shown this once. */
  recovery_codes: Array<string>;
  /** Time of creation. */
  generated_at: string;
}

/** Shows both factors. */
export interface MfaDisableRequest {
  /** The password of the account; null if it has none, after a fresh sign-in. */
  password: string | null;
  /** The code of the authenticator app, or an unused recovery code. */
  code: string;
}

/** Setup data for an authenticator app. */
export interface MfaSetupResponse {
  /** The secret in base32; shown only in this response. */
  secret: string;
  /** The URI that an authenticator app scans as a QR code. */
  uri: string;
  /** The secret in groups of four, to be typed. */
  manual_key: string;
  /** Length of a code. */
  digits: number;
  /** Seconds for which a code is shown. */
  period_seconds: number;
}

/** The second factor of an account. */
export interface MfaStatus {
  /** Whether signing in asks for a second factor. */
  enabled: boolean;
  /** Time at which it was turned on. */
  activated_at: string | null;
  /** Whether an authenticator app is being set up. */
  pending: boolean;
  /** Recovery codes that were not used yet. */
  recovery_codes_remaining: number;
  /** Time at which the recovery codes were created. */
  recovery_generated_at: string | null;
}

/** Answers the question for the second factor. */
export interface MfaVerifyRequest {
  /** The response of the first step of signing in. */
  challenge_token: string;
  /** The code of the authenticator app, or an unused recovery code. */
  code: string;
}

/** A model that a bot can use. */
export interface ModelDescriptor {
  /** The value for a bot’s `model`. */
  id: string;
  /** platform: the installation’s model; byok: the workspace’s own key; custom: custom_endpoint_config. */
  provider: 'platform' | 'byok' | 'custom' | (string & {});
  /** Its name for people. */
  name: string;
  /** Context window in tokens; null if unknown. */
  max_input_tokens: number | null;
  /** Maximum output in tokens; null if unknown. */
  max_output_tokens: number | null;
  /** Whether it can reason before it answers. */
  supports_thinking: boolean;
}

/** An unfinished checkout of a tier. */
export interface OpenCheckout {
  /** A tier by the month, or a top-up. */
  tier: 'starter' | 'pro' | 'business' | 'topup' | (string & {});
  /** Time at which it expires; null for a change of tier. */
  expires_at: string | null;
}

/** A new workspace. */
export interface OrgCreate {
  /** The workspace’s name. */
  name: string;
}

/** A workspace, with the caller’s role in it. */
export interface OrgRead {
  /** The workspace’s id. */
  id: string;
  /** Its display name. */
  name: string;
  /** Its name in addresses. */
  slug: string;
  /** Its plan. */
  plan_tier: string;
  /** owner: everything; admin: everything not reserved for the owner; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
  /** Whether the caller’s sessions start here. */
  is_default: boolean;
  /** The parent workspace; null for a top-level one. */
  parent_org_id: string | null;
  /** Settings of a workspace, including custom keys; unset ones are absent. */
  settings?: OrgSettings | undefined;
}

/** Settings of a workspace, including custom keys; unset ones are absent. */
export interface OrgSettings {
  /** The language of bots that are made without one: a language tag, or auto for the visitor’s. */
  default_language?: string | undefined;
  /** The time zone of times in mails and text transcripts, which is UTC without one. */
  time_zone?: string | undefined;
  /**
   * The service that manages the workspace’s own key, without its credentials; shown only to admins who request a
   * single workspace.
   */
  key_service?: OrgSettingsKeyService | undefined;
  [name: string]: unknown;
}

/**
 * The service that manages the workspace’s own key, without its credentials; shown only to admins who request a
 * single workspace.
 */
export interface OrgSettingsKeyService {
  /**
   * vault_transit: a key in a transit engine of HashiCorp Vault or OpenBao. aws_kms: a key in AWS Key Management
   * Service.
   */
  type: 'vault_transit' | 'aws_kms' | (string & {});
  /** Address of the Vault (vault_transit). */
  url?: string | undefined;
  /** Mount path of the transit engine (vault_transit); `transit` by default. */
  mount?: string | undefined;
  /** Name of the key (vault_transit). */
  key_name?: string | undefined;
  /** Its namespace (vault_transit). */
  namespace?: string | null | undefined;
  /** The ARN of the key (aws_kms). */
  key_arn?: string | undefined;
  /** Its region (aws_kms). */
  region?: string | undefined;
}

/**
 * The settings to change; null removes one, and the others stay. Further keys are stored and returned as sent,
 * at most 64 keys, 16384 bytes of JSON and 5 levels of them.
 */
export interface OrgSettingsUpdate {
  /** The language of bots that are made without one: a language tag, or auto for the visitor’s. */
  default_language?: string | null | undefined;
  /** The time zone of times in mails and text transcripts, which is UTC without one. */
  time_zone?: string | null | undefined;
  /**
   * The service that manages the workspace’s own key: `{type: "vault_transit", url, mount, key_name, namespace,
   * token}` or `{type: "aws_kms", key_arn, region, access_key_id, secret_access_key}`. It is tested before it is
   * saved. Needs a signed-in owner.
   */
  key_service?: OrgSettingsUpdateKeyService | null | undefined;
  [name: string]: unknown;
}

/**
 * The service that manages the workspace’s own key: `{type: "vault_transit", url, mount, key_name, namespace,
 * token}` or `{type: "aws_kms", key_arn, region, access_key_id, secret_access_key}`. It is tested before it is
 * saved. Needs a signed-in owner.
 */
export interface OrgSettingsUpdateKeyService {
  /**
   * vault_transit: a key in a transit engine of HashiCorp Vault or OpenBao. aws_kms: a key in AWS Key Management
   * Service.
   */
  type: 'vault_transit' | 'aws_kms';
  /** Address of the Vault (vault_transit). */
  url?: string | undefined;
  /** Mount path of the transit engine (vault_transit); `transit` by default. */
  mount?: string | undefined;
  /** Name of the key (vault_transit). */
  key_name?: string | undefined;
  /** Its namespace (vault_transit). */
  namespace?: string | null | undefined;
  /** A token that may encrypt and decrypt with the key (vault_transit); stored encrypted and never returned. */
  token?: string | undefined;
  /** The ARN of the key (aws_kms). */
  key_arn?: string | undefined;
  /** Its region (aws_kms). */
  region?: string | undefined;
  /** Id of an access key that may use the key (aws_kms); stored encrypted and never returned. */
  access_key_id?: string | undefined;
  /** The access key itself (aws_kms); stored encrypted and never returned. */
  secret_access_key?: string | undefined;
}

/** Changes to a workspace. */
export interface OrgUpdate {
  /** The workspace’s name. */
  name?: string | undefined;
  /** False: API keys and bots of the workspace stop until it is true again. Needs the owner. */
  is_active?: boolean | undefined;
  /**
   * The settings to change; null removes one, and the others stay. Further keys are stored and returned as sent,
   * at most 64 keys, 16384 bytes of JSON and 5 levels of them.
   */
  settings?: OrgSettingsUpdate | undefined;
}

/** Address and mailed code. */
export interface OtpVerifyRequest {
  /** E-mail address; capital letters do not matter. */
  email: string;
  /** The mailed code. */
  code: string;
}

/** The transfer of ownership. */
export interface OwnershipTransfer {
  /** The new owner’s membership id. */
  membership_id: string;
  /** The caller’s password; without one, a fresh sign-in is required instead. */
  password?: string | null | undefined;
}

/** Something that can be bought. */
export interface PlanRead {
  /** A tier by the month, or a top-up. */
  tier: 'starter' | 'pro' | 'business' | 'topup' | (string & {});
  /** Its name. */
  name: string;
  /** The billing interval; null for one-time payments. */
  interval: 'month' | (string & {}) | null;
  /** The price in the currency’s smallest unit, without tax. */
  amount_cents: number;
  /** ISO 4217, in small letters. */
  currency: string;
  /** The limits of a plan, shared by a workspace and all below it. */
  limits: Limits | null;
  /** Messages of one unit of a top-up, which do not expire; null for a tier. */
  credits: number | null;
  /** Whether the workspace has this plan. */
  is_current: boolean;
}

/** The next part of the answer. */
export interface PlaygroundDelta {
  /** The next piece of the answer. */
  text: string;
}

/** The complete answer; the last event. */
export interface PlaygroundDone {
  /** The answer, and the error if the model failed. */
  reply: PlaygroundReply;
}

/** The answer, and the error if the model failed. */
export interface PlaygroundReply {
  /** The text of the answer. */
  content: string;
  /** Its sources. */
  citations: Array<Citation>;
  /** The model that answered; null if no model was called. */
  model: string | null;
  /** Tokens that the model read. */
  input_tokens: number | null;
  /** Tokens that it wrote. */
  output_tokens: number | null;
  /** Cost of the tokens; null if unknown. */
  cost_usd: number | null;
  /** Time from the question to the complete answer. */
  latency_ms: number;
  /** Time from the question to the first text. */
  ttft_ms: number | null;
  /** Why the model did not answer; null when it did. */
  error: PlaygroundReplyError | null;
  /**
   * The search query: the message, or a question derived from it and the previous messages; null if the bot has no
   * documents.
   */
  searched_for: string | null;
}

/** Why the model did not answer; null when it did. */
export interface PlaygroundReplyError {
  /** The kind of failure. */
  code: string;
  /** A description for people. */
  message: string;
}

/** A test message, with unsaved changes of the configuration if wanted. */
export interface PlaygroundRequest {
  /** A sample visitor message. */
  message: string;
  /** The previous messages. */
  history?: Array<PlaygroundTurn> | undefined;
  /**
   * The fields to change. Null clears an optional field, resets others to the default, and leaves name and status
   * unchanged.
   */
  config?: BotUpdate | undefined;
}

/** An earlier turn of the trial. */
export interface PlaygroundTurn {
  /** The author’s role. */
  role: 'user' | 'assistant';
  /** The text of the message. */
  content: string;
}

/** An alert policy. Bot, channel and destination identify it; the other fields replace the stored ones. */
export interface PolicyRequest {
  /** The messaging app. */
  channel: string;
  /** Telegram: the id of a chat, or the @name of a public one. WhatsApp: a number with its country code. */
  destination: string;
  /** The bot whose events are sent; null for all bots and the workspace itself. */
  bot_id?: string | null | undefined;
  /**
   * off: nothing. critical: a visitor waits for a person, a webhook endpoint was disabled, the calendar fails, a
   * limit is reached. leads: also leads and bookings. all: also documents, conversations and contacts. digest:
   * nothing immediately, only a summary.
   */
  intensity?: 'off' | 'critical' | 'leads' | 'all' | 'digest' | undefined;
  /** Events to send immediately, instead of those of the intensity. `message.created` is sent only if listed here. */
  events?: Array<'handoff.requested' | 'webhook.disabled' | 'calendar.failing' | 'usage.limit_reached' | 'lead.captured' | 'booking.created' | 'booking.cancelled' | 'booking.conflict' | 'document.failed' | 'document.indexed' | 'conversation.started' | 'conversation.ended' | 'contact.updated' | 'message.created'> | null | undefined;
  /** The interval of digests; with the intensity digest it defaults to daily. */
  digest?: 'none' | 'daily' | 'weekly' | undefined;
  /** The hour of the digest, in the time zone. */
  digest_hour?: number | undefined;
  /** On which day, of weekly ones; 0 is Sunday. */
  digest_weekday?: number | undefined;
  /** Maximum messages per local day; later alerts are held for a summary the next day. Null for 2000. */
  daily_cap?: number | null | undefined;
  /** For the team. */
  label?: string | undefined;
  /** The time zone for days and hours; defaults to the calendar’s, else the workspace’s, else UTC. */
  timezone?: string | null | undefined;
}

/** RFC 9457 problem details. `detail` is a list for validation_error, a text for every other code. */
export interface Problem {
  /** Resolves to a page about the code. */
  type: string;
  /** The meaning of the code, in a few words. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** Identifies this occurrence. */
  instance: string;
  /** The X-Request-ID, for support. */
  request_id: string;
  /** What went wrong. */
  error: ProblemError;
  /** Every field that is not valid. */
  details: Array<ProblemDetailsItem>;
  /** The message, or for validation_error a list of fields. */
  detail: string | Array<ProblemDetailItem>;
}

export interface ProblemDetailItem {
  /** The path to the field, step by step. */
  loc: Array<string | number>;
  /** The problem with this field. */
  msg: string;
  /** The rule that it breaks. */
  type: string;
}

export interface ProblemDetailsItem {
  /** Path of the field, as in fields[0].key. */
  field: string;
  /** JSON Pointer to it, for bodies. */
  pointer?: string | undefined;
  /** Its location. */
  in: 'body' | 'path' | 'query' | 'header' | (string & {});
  /** The rule that it breaks. */
  code: string;
  /** The problem with this field. */
  message: string;
}

/** What went wrong. */
export interface ProblemError {
  /** The machine-readable code to decide by. */
  code: 'malformed_request' | 'malformed_json' | 'unsupported_version' | 'unauthenticated' | 'quota_exceeded' | 'forbidden' | 'fresh_proof_required' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'idempotency_in_progress' | 'handoff_disabled' | 'last_owner' | 'last_sign_in_method' | 'slot_taken' | 'payload_too_large' | 'unsupported_media_type' | 'validation_error' | 'idempotency_key_reused' | 'hierarchy_too_deep' | 'url_refused' | 'key_unavailable' | 'rate_limited' | 'internal_error' | 'not_ready' | (string & {});
  /** A description for people. */
  message: string;
}

/** The outcome of one minimal model call. */
export interface ProviderTestResponse {
  /** Whether the model answered. */
  ok: boolean;
  /** The model that was called. */
  model: string | null;
  /** How long the call took. */
  latency_ms: number | null;
  /** Why the call failed. */
  error: string | null;
}

/** A question that visitors have asked, in whatever words. */
export interface QuestionCluster {
  /** The cluster’s id. */
  id: string;
  /** The bot that was asked. */
  bot_id: string;
  /** The latest wording of the question by a visitor; cut to 500 characters, with an ellipsis. */
  question: string;
  /** Times it was asked in the range. */
  asked: number;
  /** Times that the documents had no answer, the bot used its fallback, or the model failed. */
  unanswered: number;
  /** Time at which it was last asked in the range. */
  last_asked_at: string;
  /** The latest conversations in which it was asked, newest first. */
  conversation_ids: Array<string>;
}

/** The visitor’s rating of the conversation. */
export interface RatingSubmission {
  /** From 1, bad, to 5, good. */
  rating: number;
}

/** The billing address at the time of issue. */
export interface ReceiptAddressee {
  /** Street and number. */
  address_line1: string;
  /** Second line of the address. */
  address_line2: string;
  /** The e-mail address for the provider’s invoices. */
  billing_email: string;
  /** City. */
  city: string;
  /** ISO 3166-1 code of the country. */
  country_code: string;
  /** The billing address on receipts. */
  legal_name: string;
  /** Postal code. */
  postal_code: string;
  /** State, province or region, where addresses have one. */
  state_code: string;
  /** Tax id that is printed on receipts; only together with its type. */
  tax_id: string;
  /** Type of the tax id, as Stripe names it. */
  tax_id_type: string;
}

/** A receipt, as issued. */
export interface ReceiptRead {
  /** The receipt’s id. */
  id: string;
  /** The printed receipt number. */
  number: string;
  /** When it was issued. */
  issued_at: string;
  /** The amount including tax, in the currency’s smallest unit. */
  amount_cents: number;
  /** The tax in the amount. */
  tax_cents: number;
  /** ISO 4217, in small letters. */
  currency: string;
  /** refunded: the full amount was refunded. */
  status: 'paid' | 'refunded' | (string & {});
  /** The items. */
  description: string;
  /** The billing address at the time of issue. */
  addressee: ReceiptAddressee;
  /** Whether its file is ready for download. */
  is_file_ready: boolean;
}

/** The token that is exchanged for the next tokens. */
export interface RefreshRequest {
  /** The latest refresh token. */
  refresh_token: string;
}

/** A new account. */
export interface RegisterRequest {
  /** E-mail address; capital letters do not matter. */
  email: string;
  /** Any characters, compared in NFKC form. Must not be a common password, or contain your name or address. */
  password: string;
  /** The person’s name. */
  full_name: string;
  /** Name of the first workspace; derived from the person’s name by default. */
  organization_name?: string | undefined;
  /**
   * The token at the end of an invitation link to this address. The account gets no workspace of its own, and can
   * be registered even if registration is closed.
   */
  invitation_token?: string | undefined;
}

/** The token of the link, and the next password. */
export interface ResetPasswordRequest {
  /** The token of the mailed link. */
  token: string;
  /** Any characters, compared in NFKC form. Must not be a common password, or contain your name or address. */
  new_password: string;
  /** Whether to end your API keys and linked identity providers, too; sessions always end. */
  end_other_access?: boolean | undefined;
}

/** The new signing secret of an endpoint. */
export interface RotateSecretResponse {
  /** The new signing secret. It is shown this once. */
  secret: string;
  /** Time from which attempts are signed with it. */
  rotated_at: string;
}

/** A sign-in that has not ended. */
export interface SessionRead {
  /** The session’s id. */
  id: string;
  /** The browser’s User-Agent. */
  device: string;
  /** The IP address of the sign-in. */
  place: string | null;
  /** The workspace that it works in. */
  org_id: string | null;
  /** Whether this is the caller’s session. */
  is_current: boolean;
  /** Start time. */
  created_at: string;
  /** Time of its last request, to the minute. */
  last_used_at: string;
  /** Time at which it expires unless it is refreshed. */
  expires_at: string;
}

/** The plan of the workspace, and its price. */
export interface SubscriptionRead {
  /** The plan that is in effect. */
  tier: 'free' | 'starter' | 'pro' | 'business' | 'enterprise' | (string & {});
  /**
   * none: nothing was ever bought. past_due: a payment failed and is retried; the tier stays. ended: cancelled, or
   * finally unpaid.
   */
  status: 'none' | 'trialing' | 'active' | 'past_due' | 'ended' | (string & {});
  /** Whether this workspace pays. False for a workspace below another, which sees only tier and limits. */
  is_billed_here: boolean;
  /** Start of the paid period. */
  period_start: string | null;
  /** End time. */
  period_end: string | null;
  /** Due date of the next payment; null for a subscription that ends. */
  renews_at: string | null;
  /** End of a cancelled subscription. */
  ends_at: string | null;
  /** Messages of top-ups that are not used up. */
  topup_credits_left: number;
  /** The limits of a plan, shared by a workspace and all below it. */
  limits: Limits;
  /** An unfinished checkout of a tier. */
  checkout: OpenCheckout | null;
  /** Time of the last synchronization with the payment provider. */
  synced_at: string | null;
}

/** The workspace to switch to. */
export interface SwitchOrgRequest {
  /** The workspace to work in. */
  org_id: string;
  /**
   * The refresh token of the session. Without it, the session must have started within the last minutes:
   * `fresh_proof_required`.
   */
  refresh_token?: string | null | undefined;
}

/** A signed-in session. */
export interface TokenResponse {
  /** Sent in the Authorization header, like an API key. */
  access_token: string;
  /** The scheme of the Authorization header. */
  token_type: 'Bearer';
  /** Seconds that the access token is good for. */
  expires_in: number;
  /** Good once, for the next pair of tokens, within 30 days and 90 days of the sign-in. */
  refresh_token: string;
  /** The workspace that the access token is for; null if the person belongs to none. */
  org_id: string | null;
}

/** A call of a tool of the MCP server. */
export interface ToolInvocationResponse {
  /** The call’s id. */
  id: string;
  /** Name of the tool. */
  tool: string;
  /** The key that called it. */
  api_key_id: string;
  /** The key’s current name; null if it was deleted. */
  api_key_name: string | null;
  /** Whether it succeeded. */
  outcome: 'succeeded' | 'failed' | (string & {});
  /** Why it did not; null where it worked. */
  error_code: string | null;
  /**
   * The arguments, without secrets, e-mail addresses and phone numbers. Long texts are truncated; whole documents
   * are replaced by length and digest.
   */
  arguments: Record<string, unknown>;
  /** Its duration. */
  duration_ms: number;
  /** Name and version that the client reports. */
  client: string | null;
  /** The request that it was part of. */
  request_id: string;
  /** When it was called. */
  created_at: string;
}

/** The usage of a day. */
export interface UsageDay {
  /** The day (UTC). */
  date: string;
  /** The bot; null for usage without a bot, and if not grouped by bot. */
  bot_id: string | null;
  /** The model; null if none was called, and if not grouped by model. */
  model: string | null;
  /** Visitors’ turns that bots answer, as they were taken. */
  messages: number;
  /** Tokens that models have read. */
  input_tokens: number;
  /** Tokens that models have written. */
  output_tokens: number;
  /** Cost of the models, by known prices, in US dollars. */
  cost_usd: number;
}

/** The usage of a month, and the plan’s limits. */
export interface UsageSummary {
  /** When the month begins. */
  from: string;
  /** Its exclusive end: the start of the next month. */
  to: string;
  /** The number of workspaces in the sum. */
  workspaces: number;
  /** Visitors’ turns that bots answer, as they were taken. */
  messages: number;
  /** Tokens that models have read. */
  input_tokens: number;
  /** Tokens that models have written. */
  output_tokens: number;
  /** Cost of the models, by known prices, in US dollars. */
  cost_usd: number;
  /** Current documents, including pages of sites. */
  documents: number;
  /** Current bots that are not archived. */
  bots: number;
  /** Current members and invitees other than viewers. */
  seats: number;
  /** Messages that were sent in messaging apps. */
  alerts: number;
  /**
   * Remaining messages of the current month for all workspaces that the payer pays for, without top-ups. Null for
   * other months, if unlimited, and if another workspace pays.
   */
  messages_left: number | null;
  /** Remaining messages of top-ups; null if messages are unlimited or another workspace pays. */
  topup_credits_left: number | null;
  /** The limits of a plan, shared by a workspace and all below it. */
  limits: Limits;
  /** Limits of the current month that are used up (including top-ups) or exceeded; empty for other months. */
  exceeded: Array<'messages_per_month' | 'documents' | 'bots' | 'seats' | 'alerts_per_month' | (string & {})>;
}

/** A turn as the visitor sees it: without model, tokens and cost. */
export interface VisitorMessageRead {
  /** The message’s id. */
  id: string;
  /** The author’s role: agent is a person of the team, and system reports an event. */
  role: 'user' | 'assistant' | 'agent' | 'system' | (string & {});
  /** The text of the message. */
  content: string;
  /** The team member who wrote it, or to whom it refers; visitors see the first name. */
  author_name: string | null;
  /** The event of a system message, for programs; `content` describes it for people. Null for other roles. */
  event: VisitorMessageReadEvent | null;
  /** The sources of an answer. */
  citations: Array<Citation> | null;
  /** The input that a flow asks for at its end; null for all other messages. */
  input: VisitorMessageReadInput | null;
  /** Whether the model failed to answer. */
  is_error: boolean;
  /** The kind of failure. */
  error_code: string | null;
  /** Time of the message. */
  created_at: string;
}

/** The event of a system message, for programs; `content` describes it for people. Null for other roles. */
export interface VisitorMessageReadEvent {
  /** The kind of event. */
  kind: 'handoff_requested' | 'agent_joined' | 'handoff_returned' | 'handoff_released' | 'resolved' | 'reopened' | 'ended' | 'lead_captured' | 'consent_changed' | (string & {});
  /** The side that asked for a person (handoff_requested). */
  requested_by?: 'visitor' | 'flow' | (string & {}) | undefined;
  /** The visitor’s request to the team (handoff_requested). */
  reason?: string | null | undefined;
  /** Whether the visitor ended it, or it was inactive for too long (ended). */
  ended_by?: 'visitor' | 'sweep' | (string & {}) | undefined;
  /** Keys of the fields that were filled in (lead_captured). */
  fields?: Array<string> | undefined;
  /** The visitor’s new choice (consent_changed). */
  consent?: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {}) | undefined;
}

/** The input that a flow asks for at its end; null for all other messages. */
export interface VisitorMessageReadInput {
  /**
   * The kind of input. form: the bot’s lead form, sent by submitWidgetLead. booking: a time of listWidgetSlots,
   * booked by createWidgetBooking; the flow then continues automatically.
   */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** The options; empty for typed input. */
  options: Array<VisitorMessageReadInputOptionsItem>;
}

export interface VisitorMessageReadInputOptionsItem {
  /** The value for `option_id`. */
  id: string;
  /** The label shown to the visitor. */
  label: string;
}

/** Time from a request until the first member took the conversation. */
export interface WaitPercentiles {
  /** The median, to 5 %; null without values. */
  p50: number | null;
  /** The 90th percentile, to 5 %; null without values. */
  p90: number | null;
}

/** A new endpoint. */
export interface WebhookCreate {
  /** Only send events of this bot; null for all bots. */
  bot_id?: string | null | undefined;
  /** A public https address. Private, loopback and link-local addresses are refused. */
  url: string;
  /** For the team. */
  description?: string | null | undefined;
  /** The events to send; without it all. */
  events?: Array<'conversation.started' | 'conversation.ended' | 'message.created' | 'lead.captured' | 'contact.updated' | 'document.indexed' | 'document.failed' | 'handoff.requested'> | undefined;
}

/** A new endpoint with its signing secret. */
export interface WebhookCreated {
  /** The endpoint’s id. */
  id: string;
  /** The workspace that it belongs to. */
  org_id: string;
  /** The bot whose events are sent; null for all bots. */
  bot_id: string | null;
  /** Where deliveries are sent. */
  url: string;
  /** For the team. */
  description: string | null;
  /** Names of the events that are sent. */
  events: Array<string>;
  /** The API version of deliveries. */
  api_version: string;
  /** Whether events are sent. */
  is_active: boolean;
  /**
   * unknown: nothing sent yet; degraded: 1–4 failed attempts in a row; failing: 5 or more; disabled: nothing is
   * sent.
   */
  health: 'unknown' | 'healthy' | 'degraded' | 'failing' | 'disabled' | (string & {});
  /** Failed attempts since the last success. */
  consecutive_failures: number;
  /** Attempts made, retries included. */
  delivery_count: number;
  /** The number of failed ones. */
  failure_count: number;
  /** Error of the last failed attempt. */
  last_error: string | null;
  /** Time of the last failed attempt. */
  last_failure_at: string | null;
  /** Time of the last successful attempt. */
  last_success_at: string | null;
  /** Time at which it was disabled after repeated failures. */
  disabled_at: string | null;
  /** The last 4 characters of the signing secret. */
  secret_hint: string | null;
  /** When the endpoint was made. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
  /** The signing secret. It is shown this once. */
  secret: string;
}

/** An event sent, or to be sent, to an endpoint. */
export interface WebhookDeliveryResponse {
  /** The x-webhook-delivery header, identical on every attempt. */
  id: string;
  /** The endpoint that it is for. */
  webhook_id: string;
  /** Name of the event. */
  event: string;
  /** pending: not tried yet; retrying: failed, will be tried again; delivered; failed: given up. */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | (string & {});
  /** Number of attempts. */
  attempts: number;
  /** The results of the attempts, in order. */
  attempt_log: Array<DeliveryAttempt>;
  /**
   * Error of the last attempt, or the reason for waiting (`endpoint_failing`, `secret_unavailable`), as `code:
   * sentence`.
   */
  reason: string | null;
  /** Time of the next retry. */
  next_attempt_at: string | null;
  /** The HTTP status of the last response. */
  response_status: number | null;
  /** The first 4 KiB of that answer. */
  response_body: string | null;
  /** Duration of the last attempt. */
  duration_ms: number | null;
  /**
   * unknown: nothing sent yet; degraded: 1–4 failed attempts in a row; failing: 5 or more; disabled: nothing is
   * sent.
   */
  webhook_health: 'unknown' | 'healthy' | 'degraded' | 'failing' | 'disabled' | (string & {});
  /** The request body. */
  payload: Record<string, unknown> | null;
  /** The delivery that this one repeats. */
  replay_of_id: string | null;
  /** The latest delivery that repeats this one. */
  replayed_as_id: string | null;
  /** When the event happened. */
  created_at: string;
  /** Time at which the receiver accepted it. */
  delivered_at: string | null;
}

/** An endpoint that events are sent to, and how it does. */
export interface WebhookResponse {
  /** The endpoint’s id. */
  id: string;
  /** The workspace that it belongs to. */
  org_id: string;
  /** The bot whose events are sent; null for all bots. */
  bot_id: string | null;
  /** Where deliveries are sent. */
  url: string;
  /** For the team. */
  description: string | null;
  /** Names of the events that are sent. */
  events: Array<string>;
  /** The API version of deliveries. */
  api_version: string;
  /** Whether events are sent. */
  is_active: boolean;
  /**
   * unknown: nothing sent yet; degraded: 1–4 failed attempts in a row; failing: 5 or more; disabled: nothing is
   * sent.
   */
  health: 'unknown' | 'healthy' | 'degraded' | 'failing' | 'disabled' | (string & {});
  /** Failed attempts since the last success. */
  consecutive_failures: number;
  /** Attempts made, retries included. */
  delivery_count: number;
  /** The number of failed ones. */
  failure_count: number;
  /** Error of the last failed attempt. */
  last_error: string | null;
  /** Time of the last failed attempt. */
  last_failure_at: string | null;
  /** Time of the last successful attempt. */
  last_success_at: string | null;
  /** Time at which it was disabled after repeated failures. */
  disabled_at: string | null;
  /** The last 4 characters of the signing secret. */
  secret_hint: string | null;
  /** When the endpoint was made. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
}

/** The result of the first attempt of a test. */
export interface WebhookTestResponse {
  /** The test in the delivery log. */
  delivery_id: string;
  /** The endpoint answered with a 2xx status. */
  ok: boolean;
  /** The HTTP status of the response; null if there was none. */
  status_code: number | null;
  /** Duration of the attempt. */
  duration_ms: number;
  /** Why the attempt failed, as `code: sentence`. */
  error: string | null;
}

/** Changes to an endpoint. */
export interface WebhookUpdate {
  /** Only send events of this bot; null for all bots. */
  bot_id?: string | null | undefined;
  /** A public https address. Private, loopback and link-local addresses are refused. */
  url?: string | undefined;
  /** For the team. */
  description?: string | null | undefined;
  /** False: nothing is sent any more. True: sends again, and forgets earlier failures. */
  is_active?: boolean | undefined;
}

/** The sources of the answer. */
export interface WidgetCitations {
  /** The sources of the answer. */
  citations: Array<Citation>;
}

/**
 * The stream ends, the conversation does not; the last event. Reconnect only when the visitor returns to the
 * page.
 */
export interface WidgetClosed {
  /** too_many_streams: newer ones of the session took its place; bot_off: the bot is switched off. */
  reason: 'too_many_streams' | 'bot_off' | (string & {});
}

/** The widget’s configuration, before the first message. */
export interface WidgetConfig {
  /** The bot’s public_key. */
  public_key: string;
  /** The bot’s name. */
  name: string;
  /** A language tag, or auto for the visitor’s. */
  language: string;
  /** The first thing to show. */
  welcome_message: string | null;
  /** Questions to offer to begin with. */
  starter_questions: Array<string>;
  /** See WidgetTheme. */
  theme: Record<string, unknown>;
  /** See LeadCaptureConfig; null when it is off. Select fields have the options of the contact field of their key. */
  lead_capture: Record<string, unknown> | null;
  /** The choices for visitors; null if the directory is disabled. */
  directory: WidgetConfigDirectory | null;
  /** Whether visitors can ask for a person. */
  handoff_enabled: boolean;
  /**
   * The start of the bot’s active `conversation_started` flow, shown instead of the welcome message and not sent
   * again. If it asks for input, the visitor’s first message is that input. Null if there is none.
   */
  opening: WidgetConfigOpening | null;
  /**
   * Present if visitors can book meetings: listWidgetSlots has the times. Null if the workspace has no calendar,
   * has paused it, or must reconnect it.
   */
  booking: WidgetConfigBooking | null;
}

/**
 * Present if visitors can book meetings: listWidgetSlots has the times. Null if the workspace has no calendar,
 * has paused it, or must reconnect it.
 */
export interface WidgetConfigBooking {
  /** Minutes of a meeting. */
  slot_minutes: number;
  /** The calendar’s time zone. */
  timezone: string;
  /** Days ahead that slots are offered for. */
  horizon_days: number;
}

/** The choices for visitors; null if the directory is disabled. */
export interface WidgetConfigDirectory {
  /** The label of the category. */
  category_label: string;
  /** The label of the choice. */
  choice_label: string;
  /** All choices; resolveWidgetDirectory answers with the link of one. */
  entries: Array<WidgetConfigDirectoryEntriesItem>;
}

export interface WidgetConfigDirectoryEntriesItem {
  /** The category; empty if choices have none. */
  category: string;
  /** The choice. */
  name: string;
}

/**
 * The start of the bot’s active `conversation_started` flow, shown instead of the welcome message and not sent
 * again. If it asks for input, the visitor’s first message is that input. Null if there is none.
 */
export interface WidgetConfigOpening {
  /** The bot’s text, in Markdown. */
  text: string;
  /** The input that a flow asks for at its end; null for all other messages. */
  input: WidgetConfigOpeningInput | null;
}

/** The input that a flow asks for at its end; null for all other messages. */
export interface WidgetConfigOpeningInput {
  /**
   * The kind of input. form: the bot’s lead form, sent by submitWidgetLead. booking: a time of listWidgetSlots,
   * booked by createWidgetBooking; the flow then continues automatically.
   */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** The options; empty for typed input. */
  options: Array<WidgetConfigOpeningInputOptionsItem>;
}

export interface WidgetConfigOpeningInputOptionsItem {
  /** The value for `option_id`. */
  id: string;
  /** The label shown to the visitor. */
  label: string;
}

/** The next part of the answer. */
export interface WidgetDelta {
  /** The next piece of the answer. */
  text: string;
}

/** The complete answer, or the visitor’s message if it gets none; the last event. */
export interface WidgetDone {
  /** A turn as the visitor sees it: without model, tokens and cost. */
  message: VisitorMessageRead;
}

/** The conversation has ended; the last event. */
export interface WidgetEnded {
  /** Time at which the conversation ended; null if it was deleted. */
  ended_at: string | null;
}

/** The answer failed. */
export interface WidgetError {
  /** The kind of failure. */
  code: string;
  /** A description for people. */
  message: string;
}

/** The bot is silent, because a person is asked for or has taken over. */
export interface WidgetHandoff {
  /** The state that the conversation is in. */
  status: 'active' | 'waiting_human' | 'human' | 'ended' | (string & {});
  /** First name of the team member who has the conversation. */
  agent_name: string | null;
  /** Texts and hours for visitors who ask for a person; absent if the bot has no handoff_config. */
  handoff_notice?: WidgetHandoffHandoffNotice | undefined;
}

/** Texts and hours for visitors who ask for a person; absent if the bot has no handoff_config. */
export interface WidgetHandoffHandoffNotice {
  /** The team’s text for visitors who ask for a person now. */
  message: string | null;
  /** Whether people are available now. */
  is_open: boolean;
  /** Time at which people are available again; null if they are now. */
  opens_at: string | null;
  /** Whether a request is accepted now. */
  accepts_requests: boolean;
}

/** A team member sent a message, a flow continued without an answer, or, with the role system, an event happened. */
export interface WidgetMessage {
  /** A turn as the visitor sees it: without model, tokens and cost. */
  message: VisitorMessageRead;
}

/** A visitor’s message. */
export interface WidgetMessageCreate {
  /** The visitor’s message; not only white space. */
  content: string;
  /** The page’s own id of the message: sent again, it finds the answer under way. */
  client_id?: string | undefined;
  /** The chosen option of the last message; `content` is its label. An unknown option counts as typed text. */
  option_id?: string | undefined;
}

/** The message is stored and its answer begins. */
export interface WidgetMessageStarted {
  /** The answer. */
  message_id: string;
  /** The visitor’s message. */
  reply_to_id: string;
}

/** The state that a page needs when it is loaded again. */
export interface WidgetSession {
  /** The session’s id. */
  session_id: string;
  /** The page’s id of the visitor. */
  visitor_id: string;
  /** The state that the conversation is in. */
  status: 'active' | 'waiting_human' | 'human' | 'ended' | (string & {});
  /** Whether the visitor can ask for a person. */
  handoff_enabled: boolean;
  /** First name of the team member who has the conversation. */
  agent_name: string | null;
  /** Whether to ask for contact details now. */
  lead_form_due: boolean;
  /** Whether the visitor has agreed to be recorded. */
  consent: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {});
  /** Time of the visitor’s choice. */
  consent_at: string | null;
  /** Messages of both sides. */
  message_count: number;
  /** The visitor’s rating, 1 to 5. */
  rating: number | null;
  /** Values to prefill a booking form; absent if unknown. */
  attendee?: WidgetSessionAttendee | undefined;
  /** Texts and hours for visitors who ask for a person; absent if the bot has no handoff_config. */
  handoff_notice?: WidgetSessionHandoffNotice | undefined;
}

/** Values to prefill a booking form; absent if unknown. */
export interface WidgetSessionAttendee {
  /** The name that the visitor has left in this session. */
  name: string | null;
  /** The address that the visitor has left in this session. */
  email: string | null;
  /** Whether the visitor’s address is known, so that bookings may omit it. */
  has_email: boolean;
}

/** A new session. */
export interface WidgetSessionCreate {
  /** The page’s id for the visitor; defaults to that of the visitor_secret, or a new one. It proves nothing. */
  visitor_id?: string | undefined;
  /**
   * Proves that the browser had an earlier session, which returned this secret; the session then belongs to that
   * visitor. Without it the visitor is new, whatever the visitor_id.
   */
  visitor_secret?: string | undefined;
  /** The page that the visitor is on. */
  page_url?: string | undefined;
  /** The page that led the visitor to it. */
  referrer?: string | undefined;
  /**
   * Proves the visitor’s identity: a JWT valid for at most an hour, signed with HS256 and the bot’s
   * identity_secret; claims sub, exp, and email if known.
   */
  identity_token?: string | undefined;
}

/** A session and the credential for it. */
export interface WidgetSessionCreated {
  /** The session’s id. */
  session_id: string;
  /** The page’s id for the visitor, or the new id. */
  visitor_id: string;
  /** Store it in the browser, and send it with the visitor’s next session. */
  visitor_secret: string;
  /** Send it as a Bearer token with every call of the session. */
  visitor_token: string;
  /** Seconds without use after which the token expires. */
  expires_in: number;
}

/** Texts and hours for visitors who ask for a person; absent if the bot has no handoff_config. */
export interface WidgetSessionHandoffNotice {
  /** The team’s text for visitors who ask for a person now. */
  message: string | null;
  /** Whether people are available now. */
  is_open: boolean;
  /** Time at which people are available again; null if they are now. */
  opens_at: string | null;
  /** Whether a request is accepted now. */
  accepts_requests: boolean;
}

/**
 * The widget’s appearance. Invalid values of these fields are stored and ignored; further keys are stored
 * unchanged. At most 1000 values in all.
 */
export interface WidgetTheme {
  /** A two-stop linear gradient for launcher and header. */
  gradient?: Gradient | null | undefined;
  /** Colours for visitors whose system uses dark mode. */
  dark_palette?: DarkPalette | null | undefined;
  /** Launcher, buttons and the visitor’s bubbles. A colour as #rrggbb. */
  primary_color?: unknown | undefined;
  /** Text of the visitor’s messages. A colour as #rrggbb. */
  user_bubble_text?: unknown | undefined;
  /** Background of the bot’s messages. A colour as #rrggbb. */
  bot_bubble_bg?: unknown | undefined;
  /** Text of the bot’s messages. A colour as #rrggbb. */
  bot_bubble_text?: unknown | undefined;
  /** Background of the conversation. A colour as #rrggbb. */
  messages_bg?: unknown | undefined;
  /** Background of header and input. A colour as #rrggbb. */
  panel_bg?: unknown | undefined;
  /** Borders. A colour as #rrggbb. */
  border_color?: unknown | undefined;
  /** The edge of the page that has the launcher: left or right. */
  position?: unknown | undefined;
  /** An image of the bot; uploadBotAvatar sets it. */
  avatar_url?: unknown | undefined;
  [name: string]: unknown;
}

/** The data of a server-sent event; its title is the event’s name. */
export type PlaygroundEvent =
  /** The next part of the answer. */
  | StreamEventOf<'delta', PlaygroundDelta>
  /** The complete answer; the last event. */
  | StreamEventOf<'done', PlaygroundDone>;

/** The data of a server-sent event; its title is the event’s name. */
export type InboxEvent =
  /** A handoff in the inbox: it was there, is new, was reassigned, or got a message. */
  | StreamEventOf<'item', InboxItem>
  /** It has left the inbox: the bot has it again, it has ended, or it is deleted. */
  | StreamEventOf<'removed', InboxRemoved>;

/** The data of a server-sent event; its title is the event’s name. */
export type WidgetEvent =
  /** The message is stored and its answer begins. */
  | StreamEventOf<'message.started', WidgetMessageStarted>
  /** The next part of the answer. */
  | StreamEventOf<'delta', WidgetDelta>
  /** The sources of the answer. */
  | StreamEventOf<'citations', WidgetCitations>
  /** The bot is silent, because a person is asked for or has taken over. */
  | StreamEventOf<'handoff', WidgetHandoff>
  /** A team member sent a message, a flow continued without an answer, or, with the role system, an event happened. */
  | StreamEventOf<'message', WidgetMessage>
  /**
   * The stream ends, the conversation does not; the last event. Reconnect only when the visitor returns to the
   * page.
   */
  | StreamEventOf<'closed', WidgetClosed>
  /** The conversation has ended; the last event. */
  | StreamEventOf<'ended', WidgetEnded>
  /** The answer failed. */
  | StreamEventOf<'error', WidgetError>
  /** The complete answer, or the visitor’s message if it gets none; the last event. */
  | StreamEventOf<'done', WidgetDone>;

/** A visitor opened a session with a bot. */
export interface ConversationStartedEvent {
  event: 'conversation.started';
  data: ConversationStartedEventData;
}

/** A session closed: the visitor ended it, or it had been idle for too long (30 minutes unless set otherwise). */
export interface ConversationEndedEvent {
  event: 'conversation.ended';
  data: ConversationEndedEventData;
}

/** A turn was written, by anybody. High volume. */
export interface MessageCreatedEvent {
  event: 'message.created';
  data: MessageCreatedEventData;
}

/** A visitor filled in the form, or left an address or a number for the first time in a conversation. */
export interface LeadCapturedEvent {
  event: 'lead.captured';
  data: LeadCapturedEventData;
}

/** Details of a known contact changed, or another contact was merged into it. */
export interface ContactUpdatedEvent {
  event: 'contact.updated';
  data: ContactUpdatedEventData;
}

/** A document of the knowledge base is indexed; bots answer from it now. */
export interface DocumentIndexedEvent {
  event: 'document.indexed';
  data: DocumentIndexedEventData;
}

/** A document could not be indexed, for the given reason. */
export interface DocumentFailedEvent {
  event: 'document.failed';
  data: DocumentFailedEventData;
}

/** A visitor asked for a human, or a flow handed over to one. */
export interface HandoffRequestedEvent {
  event: 'handoff.requested';
  data: HandoffRequestedEventData;
}

/** The body of a webhook. Events with other names may come: have a default for them. */
export type WebhookEvent =
  | ConversationStartedEvent
  | ConversationEndedEvent
  | MessageCreatedEvent
  | LeadCapturedEvent
  | ContactUpdatedEvent
  | DocumentIndexedEvent
  | DocumentFailedEvent
  | HandoffRequestedEvent;
