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
  /** What the mailed link ends with. */
  token: string;
  /** What the person is called. */
  full_name?: string | null | undefined;
  /** For a new account: its password. */
  password?: string | null | undefined;
  /**
   * Of the session that goes on. Without it, the session must have begun within the last minutes:
   * `fresh_proof_required`.
   */
  refresh_token?: string | null | undefined;
}

/** Shows that the account’s owner asks. */
export interface AccountDeleteRequest {
  /** The present password. */
  password?: string | null | undefined;
  /** Of the second factor, where that is on; the mailed sign-in code, where there is no password. */
  code?: string | null | undefined;
}

/** Links by which a chat is tied to the workspace, once. */
export interface AlertConnectResponse {
  /** What to poll with. */
  attempt_id: string;
  /** Open it, or scan it as a QR code, on the device that has the messaging app. */
  link: string;
  /** The same for a group; null where there are none. */
  group_link: string | null;
  /** Until when the links work. */
  expires_at: string;
}

/** Whether a link was opened, and by whom. */
export interface AlertConnectionState {
  /** The attempt. */
  attempt_id: string;
  /** connected: the destination is verified; save a policy for it. */
  status: 'pending' | 'connected' | 'expired' | (string & {});
  /** The chat or number; null until it is connected. */
  destination: string | null;
  /** What the chat or its person is called there. */
  name: string | null;
}

/** What a policy would send in a month, by what has happened in the last one. */
export interface AlertEstimate {
  /**
   * Of how many days it is made: the last 30, or as many as the workspace has. 0 where nothing has happened on its
   * first day.
   */
  observed_days: number;
  /** How often what the policy tells of has happened on them. */
  events: number;
  /** Messages of 30 days, digests apart. */
  messages_per_month: number;
  /** Digests of 30 days that would have something to say. */
  digests_per_month: number;
  /** Of the observed days, those on which the cap would have been reached. */
  capped_days: number;
  /** Of a message to the destination, as the operator has set it; 0 where nothing is set. */
  unit_price_usd: number;
  /** Of messages and digests of 30 days. WhatsApp takes nothing for answers within a day, so it may be less. */
  cost_usd: number;
  /** What has happened, the most frequent first. */
  by_event: Array<AlertEstimateByEventItem>;
}

export interface AlertEstimateByEventItem {
  /** Name of the event. */
  event: 'handoff.requested' | 'webhook.disabled' | 'calendar.failing' | 'usage.limit_reached' | 'lead.captured' | 'booking.created' | 'booking.cancelled' | 'booking.conflict' | 'document.failed' | 'document.indexed' | 'conversation.started' | 'conversation.ended' | 'contact.updated' | 'message.created' | (string & {});
  /** How often it has happened on the observed days. */
  count: number;
}

/** A destination, what it is told of, and where it stands today. */
export interface AlertPolicyRead {
  /** The policy’s id. */
  id: string;
  /** The messaging app. */
  channel: string;
  /** Telegram: the id of a chat, or the @name of a public one. WhatsApp: a number with its country code. */
  destination: string;
  /** Whose events are told; null for those of all bots, and of the workspace itself. */
  bot_id: string | null;
  /**
   * off: nothing. critical: a visitor waits for a person, a webhook endpoint was disabled, the calendar fails, a
   * limit is reached. leads: also leads and bookings. all: also documents, conversations and contacts. digest:
   * nothing at once, all of it summed up.
   */
  intensity: 'off' | 'critical' | 'leads' | 'all' | 'digest' | (string & {});
  /** What is told at once, in place of what the intensity says. `message.created` comes by no other way. */
  events: Array<'handoff.requested' | 'webhook.disabled' | 'calendar.failing' | 'usage.limit_reached' | 'lead.captured' | 'booking.created' | 'booking.cancelled' | 'booking.conflict' | 'document.failed' | 'document.indexed' | 'conversation.started' | 'conversation.ended' | 'contact.updated' | 'message.created' | (string & {})> | null;
  /** How often all is summed up; with the intensity digest daily, unless weekly is asked for. */
  digest: 'none' | 'daily' | 'weekly' | (string & {});
  /** At which hour of the time zone. */
  digest_hour: number;
  /** On which day, of weekly ones; 0 is Sunday. */
  digest_weekday: number;
  /** Messages of a local day; what comes after is held for a summary the next day. Null for 2000. */
  daily_cap: number | null;
  /** For the team. */
  label: string;
  /** Whose days and hours count; by default the calendar’s, else the workspace’s, else UTC. */
  timezone: string;
  /** What the chat or its person is called there. */
  destination_name: string | null;
  /** Whether whoever has the destination was asked. */
  verified: boolean;
  /** Since when. */
  verified_at: string | null;
  /**
   * off: nothing is sent. blocked: the destination takes nothing. unverified: nothing is sent until it is
   * verified.
   */
  status: 'active' | 'off' | 'unverified' | 'blocked' | (string & {});
  /** Why the destination takes nothing. */
  blocked_reason: string | null;
  /** Messages of this local day that count. */
  sent_today: number;
  /** Alerts of this local day that found the cap used up. */
  held_today: number;
  /** When the local day ends. */
  day_resets_at: string;
  /** When the next digest is due, or the summary of what is held. */
  next_digest_at: string | null;
  /** Why the last message did not go out. */
  last_error: string | null;
  /** When it was made. */
  created_at: string;
  /** When it was changed last. */
  updated_at: string;
}

/** Which attempt to look at. */
export interface AlertPollRequest {
  /** From connect. */
  attempt_id: string;
}

/** What became of a test. */
export interface AlertTestResponse {
  /** The message. */
  alert_id: string;
  /** The provider has taken it. */
  ok: boolean;
  /** How long that took. */
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
  /** Until when the code is good. */
  expires_at: string;
  /** When another one can be sent. */
  next_send_at: string;
}

/** The code that a destination was sent. */
export interface AlertVerifyRequest {
  /** The code that arrived. */
  code: string;
}

/** A day, as far as it is within the range. */
export interface AnalyticsDay {
  /** The day in the time zone. */
  date: string;
  /** Conversations that began on it: sessions in which the visitor has said something. */
  conversations: number;
  /** Those of them that are resolved. */
  resolved: number;
  /** Those of them in which the bot was enough. */
  self_served: number;
  /** Sessions that began on it and brought a lead. */
  leads: number;
  /** Requests for a person that were made on it. */
  handoffs: number;
}

/** Requests for a person that were made in the range. */
export interface AnalyticsHandoffs {
  /** Requests for a person, by the time of the request. */
  requested: number;
  /** Those of the requests that a member has taken. */
  answered: number;
  /** From a request until the first member had the conversation. */
  wait_seconds: WaitPercentiles;
}

/** How the conversations that began in a range have gone, as they are now. */
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
  /** Resolved conversations among all. Null where there is none to count. */
  resolution_rate: number | null;
  /** Ended conversations that never were handed over to people, and are not rated 1 or 2. */
  self_served: number;
  /** Self-served conversations among those that have ended. Null where there is none to count. */
  self_service_rate: number | null;
  /**
   * Sessions in which the visitor left details, also before saying anything. listConversations has the same total
   * with is_lead=true.
   */
  leads: number;
  /** Conversations in which the visitor left details among all. Null where there is none to count. */
  lead_rate: number | null;
  /** How visitors have rated their conversations. */
  ratings: AnalyticsRatings;
  /** Requests for a person that were made in the range. */
  handoffs: AnalyticsHandoffs;
  /** From a turn until the whole answer, of answers given in the range. */
  latency_ms: LatencyPercentiles;
  /** From a turn until the first text of a model, of answers given in the range. */
  ttft_ms: FirstTextPercentiles;
  /** Answers of the range that failed. */
  errors: number;
  /** Answers of the range for which the documents had nothing, or that were the fallback. */
  unanswered: number;
  /** Each day that the range touches, in order; null for a range of more than 92 days. */
  days: Array<AnalyticsDay> | null;
}

/** How visitors have rated their conversations. */
export interface AnalyticsRatings {
  /** Sessions that were rated. */
  count: number;
  /** Null where none was rated. */
  average: number | null;
  /** The part of the ratings that is 4 or 5. Null where there is none to count. */
  satisfied_rate: number | null;
  /** How many ratings there are of each kind, from 1 to 5. */
  distribution: Array<number>;
}

/** A new API key. */
export interface ApiKeyCreate {
  /** What the key is for. */
  name: string;
  /** What the key may do, as far as its creator may; write implies read. */
  scopes: Array<'bots:read' | 'bots:write' | 'knowledge:read' | 'knowledge:write' | 'conversations:read' | 'conversations:write' | 'contacts:read' | 'contacts:write' | 'inbox:read' | 'inbox:write' | 'bookings:read' | 'bookings:write' | 'alerts:read' | 'alerts:write' | 'webhooks:read' | 'webhooks:write' | 'org:read' | 'org:write' | 'members:read' | 'members:write' | 'billing:read' | 'encryption:read' | 'flows:read' | 'flows:write' | 'archive:read' | 'archive:write' | 'usage:read' | 'analytics:read' | 'tools:read'>;
  /** When the key ends by itself; without it never. */
  expires_at?: string | null | undefined;
}

/** A new API key. */
export interface ApiKeyCreated {
  /** The key’s id. */
  id: string;
  /** What it is for. */
  name: string;
  /** What the key begins with. */
  prefix: string;
  /** Its last 4 characters. */
  last_four: string;
  /** What it may do. */
  scopes: Array<string>;
  /** The API version that its calls get when they name none; null for the current one. */
  api_version: string | null;
  /** The account whose rights it is limited to. */
  created_by_id: string;
  /** When it was made. */
  created_at: string;
  /** When it was used last, to the minute; null for never. */
  last_used_at: string | null;
  /** When it ends by itself; null for never. */
  expires_at: string | null;
  /** The key. It is shown this once. */
  key: string;
}

/** An API key, but not the key itself. */
export interface ApiKeyRead {
  /** The key’s id. */
  id: string;
  /** What it is for. */
  name: string;
  /** What the key begins with. */
  prefix: string;
  /** Its last 4 characters. */
  last_four: string;
  /** What it may do. */
  scopes: Array<string>;
  /** The API version that its calls get when they name none; null for the current one. */
  api_version: string | null;
  /** The account whose rights it is limited to. */
  created_by_id: string;
  /** When it was made. */
  created_at: string;
  /** When it was used last, to the minute; null for never. */
  last_used_at: string | null;
  /** When it ends by itself; null for never. */
  expires_at: string | null;
}

/** How a key is replaced. */
export interface ApiKeyRotate {
  /** How long the old key still works. */
  grace_hours?: number | undefined;
}

/** A version that can be pinned with X-API-Version. */
export interface ApiVersionRead {
  /** Its date, by which it is pinned. */
  version: string;
  /** What is different from the version before. */
  changes: Array<string>;
  /** From when it should be left. */
  deprecated_at: string | null;
  /** From when it is gone. */
  sunset_at: string | null;
}

/** What an export or import has come to so far. */
export interface ArchiveCounts {
  /** Bots in the export, or that the import has made. */
  bots: number;
  /** Contacts in the export, or that the import has made. */
  contacts: number;
  /** Conversations in the export, or that the import has made; also those in which the visitor said nothing. */
  conversations: number;
  /** Their messages. */
  messages: number;
  /** Conversations that were here already, or whose visitor was erased. */
  skipped: number;
  /** Conversations that could not be taken; `errors` say why. */
  failed: number;
}

/** What an archive is to have. */
export interface ArchiveExportRequest {
  /** Conversations of these bots alone; null for all. */
  bot_ids?: Array<string> | null | undefined;
  /** Conversations that began then or later; null for all. */
  from?: string | null | undefined;
  /** Conversations that began before; null for all until now. */
  to?: string | null | undefined;
  /** Whether it has contacts, and what conversations have learned of them. */
  include_contacts?: boolean | undefined;
}

/** A record that could not be taken. */
export interface ArchiveJobError {
  /** The line of the file that the message names. */
  line: number | null;
  /** The id of the record, as the archive has it. */
  id: string | null;
  /** What kind of fault it is. */
  code: string;
  /** What is wrong, for people. */
  message: string;
}

/** An export or import of conversations. */
export interface ArchiveJobRead {
  /** The job’s id. */
  id: string;
  /** Whether something goes out or comes in. */
  kind: 'export' | 'import' | (string & {});
  /** How far it is; the last two are final. */
  status: 'pending' | 'running' | 'completed' | 'failed' | (string & {});
  /** When it was asked for. */
  created_at: string;
  /** When it began; null while it waits. */
  started_at: string | null;
  /** When it was over. */
  finished_at: string | null;
  /** Until when an export can be downloaded; null for all else. */
  expires_at: string | null;
  /** What an export was asked for; null for an import. */
  request: ArchiveJobReadRequest | null;
  /** How much of it is done. */
  progress: number;
  /** What an export or import has come to so far. */
  counts: ArchiveCounts;
  /** Files of a finished export: each is an archive that can be imported by itself. */
  parts: number;
  /** Of all parts together. */
  size_bytes: number;
  /** Why it has failed. */
  error_message: string | null;
  /** The first 100. */
  errors: Array<ArchiveJobError>;
  /** How many there are in all. */
  errors_total: number;
}

/** What an export was asked for; null for an import. */
export interface ArchiveJobReadRequest {
  /** Conversations of these bots alone; null for all. */
  bot_ids: Array<string> | null;
  /** Conversations that began then or later; null for all. */
  from: string | null;
  /** Conversations that began before; null for all until now. */
  to: string | null;
  /** Whether it has contacts, and what conversations have learned of them. */
  include_contacts: boolean;
}

/** A write that somebody has done, or a sign-in. */
export interface AuditEventRead {
  /** The event’s id. */
  id: string;
  /** When it was done. */
  created_at: string;
  /** Who did it, or made the API key that did. */
  user_id: string;
  /** What they are called; null when the account is gone. */
  user_name: string | null;
  /** Their address; null when the account is gone. */
  user_email: string | null;
  /** The API key it was done with; null for somebody signed in. */
  key_id: string | null;
  /** What the key is called. */
  key_name: string | null;
  /** The operation of this API. */
  operation: string;
  /** What kind of thing it was done to. */
  resource_type: string;
  /** Which one; a write to many at once is an event for each. */
  resource_id: string | null;
  /** What was done, where the operation does several things; else null. */
  action: string | null;
  /** Names of the fields that were sent; their values are not kept. */
  changed_fields: Array<string>;
  /** The address it came from. */
  ip: string;
  /** The program it came from. */
  user_agent: string | null;
  /** X-Request-ID of the request. */
  request_id: string;
}

/** Whom receipts are addressed to. It replaces all of what was saved: what is absent becomes empty. */
export interface BillingProfileIn {
  /** Street and number. */
  address_line1?: string | undefined;
  /** More of the address. */
  address_line2?: string | undefined;
  /** Where the provider sends invoices; an e-mail address. */
  billing_email?: string | undefined;
  /** City. */
  city?: string | undefined;
  /** ISO 3166-1 code of the country. */
  country_code?: string | undefined;
  /** Whom receipts are addressed to. */
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

/** Whom receipts are addressed to. */
export interface BillingProfileRead {
  /** Street and number. */
  address_line1: string;
  /** More of the address. */
  address_line2: string;
  /** Where the provider sends invoices; an e-mail address. */
  billing_email: string;
  /** City. */
  city: string;
  /** ISO 3166-1 code of the country. */
  country_code: string;
  /** Whom receipts are addressed to. */
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
   * What the provider says of the tax id. none: there is none, or nobody verifies ids of its type. rejected: it is
   * not printed.
   */
  tax_id_status: 'none' | 'pending' | 'verified' | 'rejected' | (string & {});
  /** When it was last saved; null if it never was. */
  updated_at: string | null;
}

/** A booking of a free slot. */
export interface BookRequest {
  /** The `start` of a slot that is offered, with any offset. */
  start: string;
  /** What it is about. */
  summary: string;
  /** Where confirmation and changes are mailed to. */
  attendee_email?: string | null | undefined;
  /** Who comes. */
  attendee_name?: string | null | undefined;
  /** What else is to be known. */
  description?: string | null | undefined;
}

/** A meeting. */
export interface BookingRead {
  /** The booking’s id. */
  id: string;
  /** Whether it takes place. */
  status: 'confirmed' | 'cancelled' | (string & {});
  /** When it begins, in UTC. */
  start: string;
  /** When it ends, in UTC. */
  end: string;
  /** The calendar’s time zone when it was booked. */
  timezone: string;
  /** The attendee’s time zone; null where nobody knows it. */
  attendee_timezone: string | null;
  /** What it is about; empty once its contact was erased. */
  summary: string;
  /** What else is to be known. */
  description: string | null;
  /** Who comes. */
  attendee_name: string | null;
  /** Where changes are mailed to. */
  attendee_email: string | null;
  /** The bot that its visitor booked with; null for the team’s, and for visitors. */
  bot_id: string | null;
  /** The conversation that it was booked in; null for the team’s, and for visitors. */
  conversation_id: string | null;
  /** The contact who booked it; null for the team’s, and for visitors. */
  contact_id: string | null;
  /** Who has booked it: the team, or a visitor by the widget or a flow. */
  source: 'team' | 'widget' | 'flow' | (string & {});
  /**
   * Whether the calendar has it: none where there is no provider; a booking takes place whatever the calendar
   * says.
   */
  calendar_status: 'none' | 'pending' | 'written' | 'failed' | 'removed' | (string & {});
  /** Why the calendar does not have it; null for visitors. */
  calendar_error: string | null;
  /** Whether something else in the calendar overlaps with it. */
  conflict: boolean;
  /** When it was cancelled. */
  cancelled_at: string | null;
  /** Who has cancelled it: calendar for the owner, who deleted the event; erasure with its contact. */
  cancelled_by: 'team' | 'attendee' | 'calendar' | 'erasure' | (string & {}) | null;
  /** When it was booked. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  /**
   * The attendee’s page, to see and cancel it: for whoever has booked it, and for those of the team who may cancel
   * it. Null in lists.
   */
  manage_url?: string | null | undefined;
  /** The same as a calendar file, for the same people. */
  ics_url?: string | null | undefined;
}

/** A time that is free. */
export interface BookingSlot {
  /** When it begins, in UTC. */
  start: string;
  /** When it ends, in UTC. */
  end: string;
  /** When it begins, in the time zone that was asked for. */
  local_start: string;
}

/** The draft of a bot. */
export interface BotBlueprint {
  /** The name of the business, as far as it is known. */
  name: string;
  /** What it does, for the team. */
  description: string;
  /** What kind of business it is. */
  industry: string;
  /** What the bot is and how it speaks, with facts of the description and the website. */
  system_prompt: string;
  /** The first thing a visitor reads. */
  welcome_message: string;
  /** What the bot says when the documents have no answer. */
  fallback_message: string;
  /** The language of the description, or auto. */
  language: string;
  /** Questions that the widget offers to begin with. */
  starter_questions: Array<string>;
  /** What the bot’s documents should be about. */
  suggested_kb_topics: Array<string>;
  /** How freely the model words its answers. */
  temperature: number;
  /** Answer from the documents or not at all. */
  strict_kb_mode: boolean;
  /** The lead form, if the description asks for visitors’ details; see LeadCaptureConfig. */
  lead_capture_config: Record<string, unknown> | null;
  /** People and places that the website names with pages of their own; see DirectoryConfig. */
  directory_config: Record<string, unknown> | null;
  /** What the model extracts from conversations; see ContactFieldDef. */
  contact_fields_config: Array<Record<string, unknown>>;
  /** The widget’s looks; see WidgetTheme. */
  widget_theme: Record<string, unknown>;
}

/** A new bot. */
export interface BotCreate {
  /** What the bot is called. */
  name: string;
  /** For the team; visitors do not see it. */
  description?: string | null | undefined;
  /** platform: the installation’s model; byok: the workspace’s own key; custom: custom_endpoint_config. */
  llm_provider?: 'platform' | 'byok' | 'custom' | undefined;
  /** A model of the provider; null for its default. */
  model?: string | null | undefined;
  /** The workspace’s own key for byok; kept sealed, never read back. */
  api_key?: string | null | undefined;
  /** An owner-supplied endpoint with a chat-completion interface. */
  custom_endpoint_config?: CustomEndpointConfig | null | undefined;
  /** What the bot is and how it speaks. */
  system_prompt?: string | null | undefined;
  /** How freely the model words its answers. */
  temperature?: number | undefined;
  /** Length of an answer at most, in tokens. */
  max_tokens?: number | undefined;
  /** Whether a model that can do so thinks before it answers. */
  thinking_enabled?: boolean | undefined;
  /** Tokens that it may think with. */
  thinking_budget_tokens?: number | undefined;
  /** The first thing a visitor reads. */
  welcome_message?: string | null | undefined;
  /** Questions that the widget offers to begin with. */
  starter_questions?: Array<string> | undefined;
  /**
   * What the bot says when the documents have no answer; null, or nothing to be seen, for words of Parley’s in the
   * visitor’s language.
   */
  fallback_message?: string | null | undefined;
  /** Answer from the documents or not at all. */
  strict_kb_mode?: boolean | undefined;
  /** A language tag, or auto for the visitor’s. */
  language?: string | undefined;
  /** When the widget asks for contact details, and for which. */
  lead_capture_config?: LeadCaptureConfig | null | undefined;
  /** What the model extracts from conversations; see ContactFieldDef. */
  contact_fields_config?: Array<ContactFieldDef> | undefined;
  /** A category and a choice that resolve to a link. */
  directory_config?: DirectoryConfig | null | undefined;
  /**
   * The widget’s looks. Of these fields, what does not fit is kept and passed over; further keys are kept as they
   * are. At most 1000 values in all.
   */
  widget_theme?: WidgetTheme | undefined;
  /**
   * Hosts the widget may run on, exact or *.host, on any port or on the one that is named; null for any, an empty
   * list for none.
   */
  allowed_domains?: Array<string> | null | undefined;
  /** Whether the widget serves the bot at all. */
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
  /** What the copy is called; by default as the bot, with “(copy)” behind it. */
  name?: string | undefined;
  /** The workspace of the copy, where the caller must be an admin; by default the bot’s own. */
  org_id?: string | null | undefined;
  /**
   * Whether the bot’s flows are copied as well; none of them is active in the copy. Of a bot that has any it takes
   * a key with the scope flows:read, or false.
   */
  include_flows?: boolean | undefined;
}

/** What a bot is to be drafted from. */
export interface BotGenerateRequest {
  /** What the business is, and what the bot is to do for it. */
  description: string;
  /** The business’s website, of which up to five pages are read; without a scheme it is https. */
  website_url?: string | null | undefined;
  /** Whether the website becomes a document of the bot. */
  import_website?: boolean | undefined;
  /** Whether the bot serves visitors at once. */
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
  /** Whether the website is being imported; not where its robots.txt does not allow it. */
  import_job_queued: boolean;
}

/** A bot with its configuration and counters. */
export interface BotRead {
  /** The bot’s id. */
  id: string;
  /** The workspace that it belongs to. */
  org_id: string;
  /** What the bot is called. */
  name: string;
  /** For the team; visitors do not see it. */
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
  /** What the bot is and how it speaks. */
  system_prompt: string;
  /** How freely the model words its answers. */
  temperature: number;
  /** Length of an answer at most, in tokens. */
  max_tokens: number;
  /** Whether a model that can do so thinks before it answers. */
  thinking_enabled: boolean;
  /** Tokens that it may think with. */
  thinking_budget_tokens: number;
  /** The first thing a visitor reads. */
  welcome_message: string | null;
  /** Questions that the widget offers to begin with. */
  starter_questions: Array<string>;
  /**
   * What the bot says when the documents have no answer; null, or nothing to be seen, for words of Parley’s in the
   * visitor’s language.
   */
  fallback_message: string | null;
  /** Answer from the documents or not at all. */
  strict_kb_mode: boolean;
  /** A language tag, or auto for the visitor’s. */
  language: string;
  /** When the widget asks for contact details, and for which; see LeadCaptureConfig. */
  lead_capture_config: Record<string, unknown> | null;
  /** What the model extracts from conversations; see ContactFieldDef. */
  contact_fields_config: Array<Record<string, unknown>>;
  /** A category and a choice that lead to a link; see DirectoryConfig. */
  directory_config: Record<string, unknown> | null;
  /**
   * The widget’s looks; see WidgetTheme. A change merges its keys with those that there are, and those of
   * dark_palette; null removes one.
   */
  widget_theme: Record<string, unknown>;
  /**
   * Hosts the widget may run on, exact or *.host, on any port or on the one that is named; null for any, an empty
   * list for none.
   */
  allowed_domains: Array<string> | null;
  /** Whether the widget serves the bot at all. */
  is_public: boolean;
  /** Visitors’ messages a minute. */
  rate_limit_per_minute: number;
  /** Answers in a calendar month (UTC); null for no cap. */
  monthly_message_cap: number | null;
  /** Whether visitors can ask for a person. */
  handoff_enabled: boolean;
  /** What visitors who ask for a person read, when people answer, and who is mailed; see HandoffConfig. */
  handoff_config: Record<string, unknown> | null;
  /** The last failure of the model, for the team. */
  last_error: string | null;
  /** Sessions with it, also those in which the visitor said nothing: `sessions` of getAnalyticsOverview. */
  total_conversations: number;
  /** Messages in them of both sides: the sum of their message_count. */
  total_messages: number;
  /** Passages that its answers can be drawn from. */
  indexed_chunk_count: number;
  /** Whether a key for byok is stored. */
  has_api_key: boolean;
  /** When the bot was made. */
  created_at: string;
  /** When its configuration was changed last. */
  updated_at: string;
}

/**
 * The fields to change; null clears a field that may be empty, sets the default of another one, and keeps name
 * and status.
 */
export interface BotUpdate {
  /** What the bot is called. Null keeps it. */
  name?: string | null | undefined;
  /** For the team; visitors do not see it. */
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
  /** The workspace’s own key for byok; kept sealed, never read back. */
  api_key?: string | null | undefined;
  /** An owner-supplied endpoint with a chat-completion interface. */
  custom_endpoint_config?: CustomEndpointConfig | null | undefined;
  /** What the bot is and how it speaks. */
  system_prompt?: string | null | undefined;
  /** How freely the model words its answers. Null sets the default again: 0.7. */
  temperature?: number | null | undefined;
  /** Length of an answer at most, in tokens. Null sets the default again: 1024. */
  max_tokens?: number | null | undefined;
  /** Whether a model that can do so thinks before it answers. Null sets the default again: false. */
  thinking_enabled?: boolean | null | undefined;
  /** Tokens that it may think with. Null sets the default again: 2048. */
  thinking_budget_tokens?: number | null | undefined;
  /** The first thing a visitor reads. */
  welcome_message?: string | null | undefined;
  /** Questions that the widget offers to begin with. Null sets the default again: []. */
  starter_questions?: Array<string> | null | undefined;
  /**
   * What the bot says when the documents have no answer; null, or nothing to be seen, for words of Parley’s in the
   * visitor’s language.
   */
  fallback_message?: string | null | undefined;
  /** Answer from the documents or not at all. Null sets the default again: false. */
  strict_kb_mode?: boolean | null | undefined;
  /** A language tag, or auto for the visitor’s. Null sets the default again: "auto". */
  language?: string | null | undefined;
  /** When the widget asks for contact details, and for which. */
  lead_capture_config?: LeadCaptureConfig | null | undefined;
  /** What the model extracts from conversations; see ContactFieldDef. Null sets the default again: []. */
  contact_fields_config?: Array<ContactFieldDef> | null | undefined;
  /** A category and a choice that resolve to a link. */
  directory_config?: DirectoryConfig | null | undefined;
  /**
   * The widget’s looks. Of these fields, what does not fit is kept and passed over; further keys are kept as they
   * are. At most 1000 values in all.
   */
  widget_theme?: WidgetTheme | null | undefined;
  /**
   * Hosts the widget may run on, exact or *.host, on any port or on the one that is named; null for any, an empty
   * list for none.
   */
  allowed_domains?: Array<string> | null | undefined;
  /** Whether the widget serves the bot at all. Null sets the default again: true. */
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
  /** For how long tokens that are signed with the old secret are good as well. */
  grace_hours?: number | undefined;
}

/** A version of what the bot is now. */
export interface BotVersionCreate {
  /** Why it is kept. Versions with a note outlive those without one. */
  note?: string | null | undefined;
}

/** The configuration of a bot at one moment. */
export interface BotVersionRead {
  /** Its number: from 1 for each bot, never used again. */
  version: number;
  /** Why it was kept. */
  note: string | null;
  /** The configuration, by the names of BotUpdate: without status, and without secrets, which no version keeps. */
  snapshot: Record<string, unknown>;
  /** Who saved it: their user id; null once the account is deleted. */
  author_id: string | null;
  /** What they are called; null where nobody knows who it was. */
  author_name: string | null;
  /** When it was saved. */
  created_at: string;
}

/** One action for many conversations. */
export interface BulkConversationUpdate {
  /** The conversations; one that is named twice has two outcomes. */
  ids: Array<string>;
  /** What to do with each; delete needs the role admin. */
  action: 'resolve' | 'reopen' | 'delete';
}

/** What became of one id. */
export interface BulkOutcome {
  /** As it was asked for. */
  id: string;
  /** Whether it was done. */
  ok: boolean;
  /** Why it was not: the code that a call for this id alone gets, and a sentence. */
  error: string | null;
}

/** What became of each id, and the counts. */
export interface BulkResponse {
  /** One for each id, in the order asked. */
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
  /** Whose calendar it is; local: the bookings alone. */
  provider: 'google' | 'caldav' | 'local' | (string & {});
  /** The account at the provider. */
  account_email: string | null;
  /**
   * degraded: the provider does not respond at present; reconnect_needed: it accepts us no more; paused: is_active
   * is off.
   */
  health: 'healthy' | 'degraded' | 'reconnect_needed' | 'paused' | (string & {});
  /** What the provider last refused, and what to do. */
  last_error: string | null;
  /** When its busy times were last read. */
  last_synced_at: string | null;
  /** When it was connected. */
  connected_at: string;
  /** The calendar that bookings are written to. */
  booking_calendar_id: string | null;
  /** Minutes that stay free between two meetings. */
  buffer_minutes: number;
  /** The hour at which the last meeting has ended; 24 for midnight. */
  business_close_hour: number;
  /** The hour at which the first meeting may begin. */
  business_open_hour: number;
  /** The calendars whose events keep slots from being offered. */
  calendar_ids: Array<string>;
  /** Whether slots are offered. */
  is_active: boolean;
  /** Minutes of a meeting. */
  slot_minutes: number;
  /** The time zone of business hours. */
  timezone: string;
  /** Whether Saturdays and Sundays are free of meetings. */
  weekdays_only: boolean;
}

/** A calendar of the connected account. */
export interface CalendarDescriptor {
  /** What booking_calendar_id and calendar_ids name it by. */
  id: string;
  /** What its owner calls it. */
  name: string;
  /** Its time zone, where the provider says. */
  timezone: string | null;
  /** Whether it is the account’s own. */
  is_primary: boolean;
  /** Whether bookings can be written to it. */
  can_write: boolean;
}

/** The present password and the next one. */
export interface ChangePasswordRequest {
  /** The present password. */
  current_password: string;
  /** Any characters, compared in their NFKC form; none that everybody tries first, and not your name or address. */
  new_password: string;
}

/** What to buy. Its price is the server’s to know. */
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
  /** Where to send the browser. */
  url: string;
  /** Until when it can be paid; null for a change of tier, and where there is nothing to pay. */
  expires_at: string | null;
  /** A tier by the month, or a top-up. */
  tier: 'starter' | 'pro' | 'business' | 'topup' | (string & {});
  /** Units of it. */
  quantity: number;
}

/** A source of an answer. */
export interface Citation {
  /** The number that the text refers to, as in [1]. */
  index: number;
  /** The document that was cited. */
  document_id: string;
  /** The part of it that was cited. */
  chunk_id: string;
  /** Title of the document. */
  title: string;
  /** Where the document came from. */
  source_url: string | null;
  /** The passage that was cited. */
  quote: string;
}

/** How a connection goes on. */
export interface ConnectResponse {
  /** Where to send the browser. */
  authorization_url: string;
  /** The provider. */
  provider: 'google' | 'caldav' | 'local' | (string & {});
}

/** Changes of a calendar’s settings; null sets the default again. */
export interface ConnectionSettings {
  /** The calendar that bookings are written to. */
  booking_calendar_id?: string | null | undefined;
  /** Minutes that stay free between two meetings. */
  buffer_minutes?: number | null | undefined;
  /** The hour at which the last meeting has ended; 24 for midnight. */
  business_close_hour?: number | null | undefined;
  /** The hour at which the first meeting may begin. */
  business_open_hour?: number | null | undefined;
  /** The calendars whose events keep slots from being offered. */
  calendar_ids?: Array<string> | null | undefined;
  /** Whether slots are offered. */
  is_active?: boolean | null | undefined;
  /** Minutes of a meeting. */
  slot_minutes?: number | null | undefined;
  /** The time zone of business hours. */
  timezone?: string | null | undefined;
  /** Whether Saturdays and Sundays are free of meetings. */
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
  /** What a select field can be. */
  options?: Array<string> | null | undefined;
  /** What kind of value the field has. */
  type?: 'text' | 'email' | 'phone' | 'select' | 'number' | undefined;
}

/** A visitor of a bot whose details are known. */
export interface ContactRead {
  /** The contact’s id. */
  id: string;
  /** The bot that the visitor talked to first. */
  bot_id: string;
  /** The page’s id of the visitor, from the first conversation. */
  visitor_id: string;
  /** The sub of the visitor’s identity tokens; null while nobody vouches. */
  identity: string | null;
  /** What the visitor is called. */
  name: string | null;
  /** E-mail address. */
  email: string | null;
  /** Whether the address comes from an identity token. */
  email_verified: boolean;
  /** Phone number. */
  phone: string | null;
  /** ISO 3166 code of the country, where it is known. */
  country: string | null;
  /** Further details by the keys of their fields. */
  custom_fields: Record<string, unknown>;
  /** Free labels, to filter lists by. */
  tags: Array<string>;
  /** Whether the visitor has left contact details. */
  is_lead: boolean;
  /** When the first conversation began. */
  first_seen_at: string;
  /** Sessions with all bots, also those in which the visitor said nothing. */
  conversation_count: number;
  /** Messages of both sides in all of them. */
  message_count: number;
  /** When the visitor was there last, to within a minute. */
  last_seen_at: string;
}

/** The fields to change; null clears. */
export interface ContactUpdate {
  /** What the visitor is called. */
  name?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** Phone number. */
  phone?: string | null | undefined;
  /** Further details; replaces all that there are. At most 64 keys, 16384 bytes of JSON and 5 levels. */
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
  /** The contact that the visitor is known as. */
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
  /** What it was about, in a few sentences. */
  summary: string | null;
  /** What it was about, in a few words. */
  title: string | null;
  /** What the visitor said first, its first 200 characters. */
  first_question: string | null;
  /** What was said last, its first 200 characters. */
  last_message: string | null;
  /** Who said that. */
  last_message_role: 'user' | 'assistant' | 'agent' | (string & {}) | null;
  /** What its answers have cost. */
  total_cost_usd: number;
  /** When it began. */
  started_at: string;
  /** When something was said last. */
  last_message_at: string;
  /** When it ended; null while it goes on. */
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
  /** The contact that the visitor is known as. */
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
  /** What it was about, in a few sentences. */
  summary: string | null;
  /** What it was about, in a few words. */
  title: string | null;
  /** What the visitor said first, its first 200 characters. */
  first_question: string | null;
  /** What was said last, its first 200 characters. */
  last_message: string | null;
  /** Who said that. */
  last_message_role: 'user' | 'assistant' | 'agent' | (string & {}) | null;
  /** What its answers have cost. */
  total_cost_usd: number;
  /** When it began. */
  started_at: string;
  /** When something was said last. */
  last_message_at: string;
  /** When it ended; null while it goes on. */
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
   * Kept sealed, never read back. When left out, the saved value stays for the same origin. A trial uses it only
   * with the saved URL and header name; send it again to try others.
   */
  auth_header_value?: string | null | undefined;
  /** The model that requests name. */
  model?: string | null | undefined;
  /** Where the answer stands, e.g. choices.0.message.content. */
  response_path?: string | null | undefined;
}

/** The endpoint without the secret of its auth header. */
export interface CustomEndpointConfigRead {
  /** Where chat-completion requests are sent. */
  endpoint_url: string;
  /** The header that carries the credential. */
  auth_header_name: string | null;
  /** Whether a credential is stored. */
  has_auth_header_value: boolean;
  /** The model that requests name. */
  model: string | null;
  /** Where the answer stands in the response. */
  response_path: string | null;
}

/** Colours for visitors whose system is dark. */
export interface DarkPalette {
  /** Launcher, buttons and the visitor’s bubbles. */
  primary_color?: string | null | undefined;
  /** What the visitor says. */
  user_bubble_text?: string | null | undefined;
  /** Behind what the bot says. */
  bot_bubble_bg?: string | null | undefined;
  /** What the bot says. */
  bot_bubble_text?: string | null | undefined;
  /** Behind the conversation. */
  messages_bg?: string | null | undefined;
  /** Behind header and input. */
  panel_bg?: string | null | undefined;
  /** Borders. */
  border_color?: string | null | undefined;
  [name: string]: unknown;
}

/** One try to deliver an event. */
export interface DeliveryAttempt {
  /** Counts from 1. */
  number: number;
  /** When it was made; null if that is not known. */
  at: string | null;
  /** Whether the receiver has accepted it. */
  outcome: 'delivered' | 'failed' | (string & {});
  /** Why it failed, as `code: sentence`. */
  reason: string | null;
  /** What the receiver answered. */
  response_status: number | null;
  /** How long it took. */
  duration_ms: number | null;
}

/** A category and a choice that resolve to a link. */
export interface DirectoryConfig {
  /** The contact field that keeps the category. */
  category_field?: string | undefined;
  /** What the category is called. */
  category_label?: string | undefined;
  /** The contact field that keeps the choice. */
  choice_field?: string | undefined;
  /** What the choice is called. */
  choice_label?: string | undefined;
  /** The contact field that keeps the link. */
  result_field?: string | undefined;
  /** Whether the directory is offered. */
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
  /** What the choice leads to: an address that begins with http, https, mailto or tel. Empty for no link. */
  link?: string | undefined;
  /** Anything worth keeping with the entry. At most 64 keys, 16384 bytes of JSON and 5 levels. */
  metadata?: Record<string, unknown> | undefined;
}

/** A choice of the directory, as a visitor writes it. */
export interface DirectoryResolveRequest {
  /** What the visitor has chosen first; empty where choices have no category. */
  category?: string | undefined;
  /** The name of the choice; capitals and spaces do not matter. */
  choice: string;
}

/** What a choice of the directory leads to. */
export interface DirectoryResolveResponse {
  /** The category, as the directory writes it. */
  category: string;
  /** The choice, as the directory writes it. */
  choice: string;
  /** What the choice leads to; empty where it has no link. */
  link: string;
}

/** A new source of knowledge. */
export interface DocumentCreate {
  /** Where the content comes from. */
  source_type: 'url' | 'raw_text' | 'sitemap';
  /** A public page; for a sitemap source the address of a site or of its sitemap. Required by both. */
  url?: string | null | undefined;
  /** Plain text or Markdown; required by raw_text sources. */
  raw_text?: string | null | undefined;
  /** Empty for the one that the source gives itself. */
  title?: string | undefined;
  /** How often a url or sitemap source is read again by itself; others take none. */
  refresh?: 'none' | 'daily' | 'weekly' | undefined;
  /** Free labels, to filter lists and searches by. */
  tags?: Array<string> | undefined;
  /** Pages that a sitemap source takes at most. */
  max_pages?: number | undefined;
}

/** A short-lived link to an original. */
export interface DocumentDownload {
  /** Whoever has this link can fetch the file while it lasts. */
  url: string;
  /** Seconds that the link lasts. */
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
  /** Where the content comes from. */
  source_type: 'url' | 'raw_text' | 'sitemap' | 'file' | (string & {});
  /** What lists and citations show. */
  title: string;
  /** indexed and failed are final. */
  status: 'pending' | 'processing' | 'indexed' | 'failed' | (string & {});
  /** Passages that answers can be drawn from. */
  chunk_count: number;
  /** Tokens in them. */
  token_count: number;
  /** The model of their vectors; null without any. */
  embedding_model: string | null;
  /** Why the indexing failed, or what it left out: pages of a site, or those of a PDF that hold no text. */
  error_message: string | null;
  /** Media type of the original. */
  mime_type: string | null;
  /** Size of the original. */
  size_bytes: number;
  /** Where it came from. */
  source_url: string | null;
  /** Of a page that came with a sitemap source: that source; null for others. */
  parent_id: string | null;
  /** Of a sitemap: what its last crawl made of the pages. Its own counts are the sums of theirs then. */
  crawl?: DocumentReadCrawl | undefined;
  /** How often a url or sitemap source is read again by itself; others take none. */
  refresh: 'none' | 'daily' | 'weekly' | (string & {});
  /** Free labels, to filter lists and searches by. */
  tags: Array<string>;
  /** When it was added. */
  created_at: string;
  /** When it was changed last. */
  updated_at: string;
}

/** Of a sitemap: what its last crawl made of the pages. Its own counts are the sums of theirs then. */
export interface DocumentReadCrawl {
  /** Pages that the sitemap lists, or that links lead to where there is none. */
  found: number;
  /** Of these, pages that were indexed. */
  fetched: number;
  /**
   * Pages that were left out: beyond max_pages, on another site, refused by robots.txt or noindex, or there by
   * another address.
   */
  skipped: number;
  /** Pages that could not be fetched or read. */
  failed: number;
  /** Of those fetched, pages that were as before. */
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

/** How far the indexing is; poll it until the status is final. */
export interface DocumentStatusRead {
  /** The document’s id. */
  id: string;
  /** indexed and failed are final. */
  status: 'pending' | 'processing' | 'indexed' | 'failed' | (string & {});
  /** Passages that answers can be drawn from. */
  chunk_count: number;
  /** Why the indexing failed, or what a crawl left out. */
  error_message: string | null;
  /** Of a sitemap: how far its present crawl is, or what came of the last one; null for others. */
  progress: DocumentStatusReadProgress | null;
}

/** Of a sitemap: how far its present crawl is, or what came of the last one; null for others. */
export interface DocumentStatusReadProgress {
  /** Pages found so far. */
  found: number;
  /** Of these, pages that are indexed. */
  indexed: number;
  /** Pages that could not be fetched or read. */
  failed: number;
  /** Pages that are left out. */
  skipped: number;
}

/** The fields to change; nothing is indexed again. */
export interface DocumentUpdate {
  /** What lists and citations show. */
  title?: string | undefined;
  /** How often a url or sitemap source is read again by itself; others take none. */
  refresh?: 'none' | 'daily' | 'weekly' | undefined;
  /** Free labels, to filter lists and searches by. */
  tags?: Array<string> | undefined;
}

/** An address, of which nobody says whether it is known. */
export interface EmailOnlyRequest {
  /** E-mail address; capital letters do not matter. */
  email: string;
}

/** Whether you are sent one kind of mail. */
export interface EmailPreference {
  /** A kind of mail, which people can turn off. */
  category: 'leads' | 'handoff' | 'content' | 'usage' | 'health' | 'digest' | 'product' | 'bookings' | (string & {});
  /** When such mail is sent. */
  description: string;
  /** Whether you are sent such mail. */
  enabled: boolean;
  /** Whether Parley sends such mail to anybody, so far. */
  is_sent: boolean;
}

/** What you are sent. Mail about security and billing is always sent. */
export interface EmailPreferences {
  /** All eight. */
  categories: Array<EmailPreference>;
}

/** Which kinds of mail to turn on or off. */
export interface EmailPreferencesUpdate {
  /** Categories that are not named stay as they are. */
  categories: EmailPreferencesUpdateCategories;
}

/** Categories that are not named stay as they are. */
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

/** The token of the link, and whose account it is. */
export interface EmailVerifyRequest {
  /** The token of the mailed link. */
  token: string;
  /** Of the registration. Without it whatever the account had is void, for somebody else may have registered it. */
  password?: string | null | undefined;
  /** For whoever does not give the password of the registration. */
  new_password?: string | null | undefined;
}

/** How to put the widget on a page. */
export interface EmbedSnippetRead {
  /** Paste it before </body>. */
  snippet: string;
  /** Identifies the bot in it. */
  public_key: string;
  /**
   * Hosts the widget may run on, exact or *.host, on any port or on the one that is named; null for any, an empty
   * list for none.
   */
  allowed_domains: Array<string> | null;
  /**
   * Signs the identity tokens of the bot’s visitors, on your server only; null for callers who may not change the
   * bot, and for sessions that began more than ten minutes ago.
   */
  identity_secret: string | null;
  /** Until when the secret before the last rotation is good as well; null where none is. */
  former_identity_secret_until: string | null;
}

/** How the workspace’s content is sealed. */
export interface EncryptionState {
  /**
   * platform: with the keys of those who operate the service, or readable. tenant: with keys that only the
   * workspace’s own key service can open.
   */
  mode: 'platform' | 'tenant' | (string & {});
  /**
   * What the mode means, sentence by sentence; then how far the background work is, and what the key service said
   * last, where there is anything to say.
   */
  consequences: Array<string>;
  /** Whether the background work of a switch or rotation is unfinished. */
  sealing: boolean;
  /** When the present key of the workspace was made; null without one. */
  key_created_at: string | null;
}

/** Whose key content is to be sealed with. */
export interface EncryptionUpdate {
  /**
   * platform: with the keys of those who operate the service, or readable. tenant: with keys that only the
   * workspace’s own key service can open.
   */
  mode: 'platform' | 'tenant';
}

/** What an error code means. */
export interface ErrorPage {
  /** The code of the error. */
  code: 'malformed_request' | 'malformed_json' | 'unsupported_version' | 'unauthenticated' | 'quota_exceeded' | 'forbidden' | 'fresh_proof_required' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'idempotency_in_progress' | 'handoff_disabled' | 'last_owner' | 'last_sign_in_method' | 'slot_taken' | 'payload_too_large' | 'unsupported_media_type' | 'validation_error' | 'idempotency_key_reused' | 'hierarchy_too_deep' | 'url_refused' | 'key_unavailable' | 'rate_limited' | 'internal_error' | 'not_ready' | (string & {});
  /** The HTTP status that it comes with. */
  status: number;
  /** What it means, in a few words. */
  title: string;
  /** What to do about it. */
  help: string;
}

/** An event that can be sent, with its body. */
export interface EventDescriptor {
  /** Name of the event. */
  name: 'conversation.started' | 'conversation.ended' | 'message.created' | 'lead.captured' | 'contact.updated' | 'document.indexed' | 'document.failed' | 'handoff.requested' | (string & {});
  /** When it happens. */
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

/** From a turn until the first text of a model, of answers given in the range. */
export interface FirstTextPercentiles {
  /** Half of them took no longer, to 5 %; null where there are none. */
  p50: number | null;
  /** Nine of ten took no longer, to 5 %; null where there are none. */
  p90: number | null;
}

/** Something that keeps a flow from being activated. */
export interface FlowFault {
  /** Where it is. */
  field: string;
  /** What is wrong, for people; it names the node. */
  message: string;
}

/** What a flow waits for. */
export interface FlowInput {
  /** The node that asks. */
  node_id: string;
  /** What it asks for. */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** What there is to choose. */
  options: Array<FlowInputOptionsItem>;
}

export interface FlowInputOptionsItem {
  /** What `option_id` says. */
  id: string;
  /** What the visitor reads. */
  label: string;
}

/** A message of a trial. */
export interface FlowMessage {
  /** Who says it. */
  role: 'user' | 'assistant' | (string & {});
  /** The text, in Markdown; all that a turn says is one message. */
  content: string;
  /** What a flow waits for. */
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
  /** What people call it. */
  name: string;
  /** For the team. */
  description: string | null;
  /** When it begins; null where only other flows lead to it. */
  trigger: string | null;
  /** Its steps and what leads from one to the next. A secret header has `has_value` in the place of its value. */
  graph: Record<string, unknown>;
  /** Whether its trigger fires. */
  is_active: boolean;
  /** From 1, and one more with each change of the graph. */
  revision: number;
  /** When it was made. */
  created_at: string;
  /** When it was saved last. */
  updated_at: string;
  /** When it was activated last. */
  activated_at: string | null;
}

/** A flow, as a whole: what is left out is empty. */
export interface FlowSave {
  /** The bot that the flow is for; it stays. */
  bot_id: string;
  /** What people call it. */
  name: string;
  /**
   * Its steps and what leads from one to the next: `{version: 1, nodes: [{id, type, position?, data}], edges:
   * [{source, port?, target}]}`, at most 100 nodes, 300 edges and 200 KB.
   */
  graph: Record<string, unknown>;
  /** For the team. */
  description?: string | null | undefined;
  /**
   * When it begins: `conversation_started`, `first_message`, `keyword:refund,money back`, `page:/pricing*` or
   * `no_answer`; null where only other flows lead to it.
   */
  trigger?: string | null | undefined;
}

/** One step of a trial. */
export interface FlowStep {
  /** The node. */
  node_id: string;
  /** Its type. */
  type: string;
  /** The port that it was left by; null where it was not. */
  port: string | null;
  /** What the visitor has said to it. */
  input: string | null;
  /** What it said. */
  output: string | null;
  /** What else is to be known. */
  note: string | null;
  /** Variables that got these values; null for one that is gone. */
  changed: Record<string, unknown>;
}

/** What a flow is tried with. */
export interface FlowTestRequest {
  /** What the visitor has said when the flow begins: `last_message` until the first input. */
  message?: string | undefined;
  /** What the visitor says or picks each time the flow waits, in order. */
  inputs?: Array<string | FlowTestRequestInputsItem> | undefined;
  /** Variables that there are when it begins. */
  variables?: Record<string, unknown> | undefined;
  /** What paths that begin with `contact` find. */
  contact?: Record<string, unknown> | undefined;
  /** The page that the visitor is on. */
  page_url?: string | null | undefined;
  /** A graph to try in the place of the saved one, which stays. */
  graph?: Record<string, unknown> | undefined;
  /**
   * How steps go that reach for something outside, by their nodes’ ids: `{"ask_shop": {"port": "out", "body":
   * {"state": "sent"}}}`.
   */
  samples?: Record<string, unknown> | undefined;
  /** Whether the bot’s model is asked, at its usual price, where there is no sample. */
  use_model?: boolean | undefined;
  /** Steps at most. */
  max_steps?: number | undefined;
}

/** A text, or an option that is picked. */
export interface FlowTestRequestInputsItem {
  /** The option’s id. */
  option_id: string;
}

/** How a flow went that was tried. */
export interface FlowTestResponse {
  /** How it ended; waiting: for an input that was not given. */
  outcome: 'completed' | 'waiting' | 'handed_over' | 'failed' | (string & {});
  /** The steps that were taken, in order. */
  path: Array<FlowStep>;
  /** What was said. */
  messages: Array<FlowMessage>;
  /** The variables as they were in the end. */
  variables: Record<string, unknown>;
  /** What it waits for; null where it does not. */
  waiting_for: FlowTestResponseWaitingFor | null;
  /** Why it failed; null where it did not. */
  error: FlowTestResponseError | null;
  /** What was not done because it was a trial. */
  warnings: Array<string>;
  /** What keeps the graph from being activated, as `activateFlow` would say; empty where nothing does. */
  lacking: Array<FlowFault>;
}

/** Why it failed; null where it did not. */
export interface FlowTestResponseError {
  /** The node that it ended at. */
  node_id: string;
  /** What kind of failure it was. */
  code: string;
  /** What happened, for people. */
  message: string;
}

/** What it waits for; null where it does not. */
export interface FlowTestResponseWaitingFor {
  /** The node that asks. */
  node_id: string;
  /** What it asks for. */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** What there is to choose. */
  options: Array<FlowTestResponseWaitingForOptionsItem>;
}

export interface FlowTestResponseWaitingForOptionsItem {
  /** What `option_id` says. */
  id: string;
  /** What the visitor reads. */
  label: string;
}

/** A two-stop linear gradient for launcher and header. */
export interface Gradient {
  /** Where the gradient begins. */
  from_color: string;
  /** Where it ends. */
  to_color: string;
  /** Its direction in degrees. */
  angle?: number | undefined;
}

/**
 * How visitors are handed over to people. Further keys are stored and returned as sent, at most 64 keys, 16384
 * bytes of JSON and 5 levels of them.
 */
export interface HandoffConfig {
  /** What visitors read while they wait for a person. */
  waiting_message?: string | null | undefined;
  /**
   * What visitors read who ask outside the hours; when people are back, and whether the request is taken, is said
   * besides.
   */
  closed_message?: string | null | undefined;
  /** When people answer visitors. */
  hours?: HandoffHours | null | undefined;
  /** Whether a request outside the hours is taken and waits; if not, it is refused and the bot goes on. */
  accepts_when_closed?: boolean | undefined;
  /**
   * Who is mailed when somebody waits: members who may answer visitors, by user_id or e-mail address. Null, or
   * when none of them is left, for all who may; empty for nobody.
   */
  notify?: Array<string> | null | undefined;
  [name: string]: unknown;
}

/** When people answer visitors. */
export interface HandoffHours {
  /** The time zone of the clocks, by its name in the IANA database. */
  timezone: string;
  /** When people answer. */
  periods: Array<HandoffPeriod>;
}

/** Hours that are the same on some days. */
export interface HandoffPeriod {
  /** The days that it is for. */
  days: Array<'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'>;
  /** When it begins. */
  opens: string;
  /** When it ends, later than it begins; 24:00 for the end of the day. */
  closes: string;
}

/** A visitor’s request for a person. */
export interface HandoffRequest {
  /** What the visitor wants of a person, for the team to read. */
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

/** Whether the service, or a part of it, is up. */
export interface HealthRead {
  /** failing: at least one part does not answer. */
  status: 'ok' | 'failing' | (string & {});
  /**
   * Each part that was asked; empty for mere liveness. Workflows may be unavailable while all else is ready: what
   * they would do waits.
   */
  checks: Record<string, 'ok' | 'failing' | 'unavailable' | (string & {})>;
}

/** A workspace with those below it. */
export interface HierarchyNode {
  /** The workspace’s id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Its name in addresses. */
  slug: string;
  /** Its plan. */
  plan_tier: string;
  /** Whether its keys and bots work. */
  is_active: boolean;
  /** Steps from the workspace that has none above it, which has depth 0; at most 4. */
  depth: number;
  /** The workspaces right below it, oldest first. */
  children: Array<HierarchyNode>;
}

/** What somebody brings back from an identity provider. */
export interface IdentityCallbackRequest {
  /** What the person came back with. */
  code: string;
  /** From the start; good once. */
  code_verifier: string;
  /** From the start; checked in any case. */
  nonce?: string | null | undefined;
  /** What the person came back with; must be that of the start. */
  state?: string | null | undefined;
  /** What the person came back with; must be the provider’s issuer (RFC 9207). */
  iss?: string | null | undefined;
}

/** An account at an identity provider, linked to one here. */
export interface IdentityRead {
  /** Name of the identity provider. */
  provider: string;
  /** E-mail address of the account there. */
  email: string | null;
  /** Since when it is linked. */
  created_at: string;
  /** When somebody signed in with it last. */
  last_login_at: string | null;
}

/**
 * The way to an identity provider. Keep state, nonce and code_verifier until the person is back, in ten minutes
 * at most unless set otherwise.
 */
export interface IdentityStartResponse {
  /** Where to send the person. */
  authorization_url: string;
  /** What the person must come back with. */
  state: string;
  /** What the ID token will contain. */
  nonce: string;
  /** Shows that whoever comes back is who went. */
  code_verifier: string;
  /** Where the person comes back to, with `code` and `state`. */
  redirect_uri: string;
}

/** Who is to have a conversation. */
export interface InboxAssignRequest {
  /** The member to have it, by id; the caller (me); or null for nobody. */
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
  /** Since when a member has it. */
  assigned_at: string | null;
  /** The member who has it; null while it waits. */
  assigned_to_id: string | null;
  /** Name of the member. */
  assigned_to_name: string | null;
  /** E-mail address of the contact. */
  contact_email: string | null;
  /** Name of the contact. */
  contact_name: string | null;
  /** What the visitor wants of a person. */
  handoff_reason: string | null;
  /** When a person was asked for, or took it over; null once the bot has it again. */
  handoff_requested_at: string | null;
  /** The page on which the conversation began. */
  page_url: string | null;
  /** What it was about, in a few words. */
  title: string | null;
  /** What the visitor said first, its first 200 characters. */
  first_question: string | null;
  /** What was said last, its first 200 characters. */
  last_message: string | null;
  /** Who said that. */
  last_message_role: 'user' | 'assistant' | 'agent' | (string & {}) | null;
  /** When something was said last. */
  last_message_at: string | null;
  /** When the visitor’s page called last. */
  visitor_seen_at: string | null;
  /** Messages of all sides. */
  message_count: number;
  /** Whether the visitor is still there. */
  visitor_present: boolean;
  /** How long the visitor waited until a member had it, or has been waiting. */
  waiting_seconds: number;
}

/** It has left the inbox: the bot has it again, it has ended, or it is deleted. */
export interface InboxRemoved {
  /** The conversation’s id. */
  id: string;
}

/** A message of the team. */
export interface InboxReplyRequest {
  /** What to say to the visitor; not only white space. */
  content: string;
}

/** Who is asked to join. */
export interface InvitationCreate {
  /** Where the link is mailed to. */
  email: string;
  /** What the person is to be. */
  role?: 'admin' | 'member' | 'viewer' | undefined;
}

/** What the holder of a link sees of an invitation. */
export interface InvitationPreview {
  /** The workspace’s name. */
  organization_name: string;
  /** Its name in addresses. */
  organization_slug: string;
  /** The address that is invited. */
  email: string;
  /** owner: everything; admin: all but what is the owner’s; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
  /** Until when the link can be used. */
  expires_at: string;
  /** Whether there is an account with this address, which then has to be signed in. */
  has_account: boolean;
  /** Name of whoever invited. */
  invited_by: string | null;
  /**
   * Whether the link was handed on: it is accepted signed in, with the confirmed account of the address.
   * has_account does not tell of that one.
   */
  takes_account: boolean;
}

/** An invitation into a workspace. */
export interface InvitationRead {
  /** The invitation’s id. */
  id: string;
  /** Where the link was mailed to. */
  email: string;
  /** What the person is to be. */
  role: string;
  /** pending: the link can be used; accepted, expired, revoked: it cannot any more. */
  status: 'pending' | 'accepted' | 'expired' | 'revoked' | (string & {});
  /** Until when the link can be used. */
  expires_at: string;
  /** When the person was invited first. */
  created_at: string;
  /** When the person has joined. */
  accepted_at: string | null;
  /** Name of whoever invited; empty when the account is gone. */
  invited_by: string;
  /**
   * Of the mail with the present link; null until it is queued. pending: on its way; kept: shown at /dev/mail, as
   * no mail server is set; suppressed: the address takes none; refused, failed: it did not arrive.
   */
  mail_state: 'pending' | 'sent' | 'kept' | 'suppressed' | 'withdrawn' | 'refused' | 'failed' | (string & {}) | null;
  /** When the person was reminded, which happens once for each link. */
  reminded_at: string | null;
  /**
   * A link to hand on, for whoever invites or sends again, in that answer alone; null in all others. Unlike the
   * mailed one it takes a confirmed account of the address.
   */
  link: string | null;
}

/** A chunk that shares words with the query, and is not relevant to it. */
export interface KnowledgeNearHit {
  /** The document. */
  document_id: string;
  /** The part of it. */
  chunk_id: string;
  /** Title of the document. */
  title: string;
  /** Where the document came from. */
  source_url: string | null;
  /** The text of the chunk. */
  text: string;
  /** How well the chunk fits; the best come first. */
  score: number;
  /** The ways in which it was found. */
  matched_by: Array<'text' | 'vector' | (string & {})>;
  /** How much of what the query is about the chunk says; less than `relevance_line`. */
  relevance: number;
}

/** A chunk that is relevant to the query. */
export interface KnowledgeSearchHit {
  /** The document. */
  document_id: string;
  /** The part of it. */
  chunk_id: string;
  /** Title of the document. */
  title: string;
  /** Where the document came from. */
  source_url: string | null;
  /** The text of the chunk. */
  text: string;
  /** How well the chunk fits; the best come first. */
  score: number;
  /** The ways in which it was found. */
  matched_by: Array<'text' | 'vector' | (string & {})>;
}

/** What to look for in a bot’s documents. */
export interface KnowledgeSearchRequest {
  /** A question in a person’s words; nothing in it is an operator. */
  query: string;
  /** Chunks at most. */
  limit?: number | undefined;
  /** Only documents that carry one of these; all when empty. */
  tags?: Array<string> | undefined;
}

/** The best chunks, as the bot itself would see them. */
export interface KnowledgeSearchResponse {
  /** Empty where nothing is relevant. */
  items: Array<KnowledgeSearchHit>;
  /** What was looked for: the query, as no conversation is behind it. */
  searched_for: string;
  /**
   * Where nothing is relevant: the chunks that come nearest, of which the bot itself sees none. Absent where no
   * chunk has a word of the query, nor a vector.
   */
  nearest?: Array<KnowledgeNearHit> | undefined;
  /** Beside `nearest`: from which `relevance` on a chunk is relevant. */
  relevance_line?: number | undefined;
}

/** From a turn until the whole answer, of answers given in the range. */
export interface LatencyPercentiles {
  /** Half of them took no longer, to 5 %; null where there are none. */
  p50: number | null;
  /** Nine of ten took no longer, to 5 %; null where there are none. */
  p90: number | null;
}

/** When the widget asks for contact details, and for which. */
export interface LeadCaptureConfig {
  /** Whether the widget asks at all. */
  enabled?: boolean | undefined;
  /** The fields of the form. */
  fields?: Array<LeadCaptureField> | undefined;
  /** A sentence above the fields. */
  intro?: string | null | undefined;
  /** The heading of the form. */
  title?: string | null | undefined;
  /** When the form appears; manual: when the page asks for it. */
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
  /** Whether the form needs the field. */
  required?: boolean | undefined;
  /** What kind of value the field has. */
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
   * Values by the keys of the form’s fields: numbers for number fields, texts for all others; null or blank for
   * none.
   */
  fields: Record<string, unknown>;
}

/** What a plan allows to a workspace and all below it together. */
export interface Limits {
  /** Turns of visitors that bots answer in a month of UTC; null for any number. */
  messages_per_month: number | null;
  /** Documents, pages that were crawled among them; null for any number. */
  documents: number | null;
  /** Bots that are not archived; null for any number. */
  bots: number | null;
  /** People who may do more than read, and those who are invited to; null for any number. */
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

/** Whoever calls. */
export interface MeRead {
  /** The person; of a key, whoever made it. */
  user: MeReadUser;
  /** The workspace; null for a member of none. */
  organization: MeReadOrganization | null;
  /** The session, of somebody who is signed in. */
  session_id: string | null;
  /** The key, of a call with one. */
  api_key_id: string | null;
  /** What a key is limited to. */
  scopes: Array<string> | null;
}

/** The workspace; null for a member of none. */
export interface MeReadOrganization {
  /** The workspace’s id. */
  id: string;
  /** What it is called. */
  name: string;
  /** What it is called in addresses. */
  slug: string;
  /** What it has booked. */
  plan_tier: string;
  /** What the person is there. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
}

/** The person; of a key, whoever made it. */
export interface MeReadUser {
  /** The account’s id. */
  id: string;
  /** E-mail address. */
  email: string;
  /** What the person is called. */
  full_name: string;
  /** A picture of the person. */
  avatar_url: string | null;
  /** Whether the address has been shown to be the person’s. */
  is_verified: boolean;
  /** Whether signing in asks for a second factor. */
  mfa_enabled: boolean;
  /** Whether there is a password to sign in with. */
  has_password: boolean;
  /** Since when there is the account. */
  created_at: string;
}

/** Changes; a key that is absent stays as it is. */
export interface MeUpdate {
  /** What the person is called. */
  full_name?: string | undefined;
  /** A picture of the person; null removes it. */
  avatar_url?: string | null | undefined;
  /** Where the person begins to work after signing in. */
  default_org_id?: string | undefined;
}

/** Somebody who belongs to a workspace. */
export interface MemberRead {
  /** The membership’s id. */
  membership_id: string;
  /** The account’s id. */
  user_id: string;
  /** The account’s address. */
  email: string;
  /** What the person is called. */
  full_name: string;
  /** Where the person’s picture is. */
  avatar_url: string | null;
  /** Whether the address is verified. */
  is_verified: boolean;
  /** owner: everything; admin: all but what is the owner’s; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
  /** Whether the person’s sessions begin in this workspace. */
  is_default: boolean;
  /** Since when the person is a member. */
  joined_at: string;
  /** When the person has signed in last. */
  last_login_at: string | null;
}

/** The role that a member has from now on. */
export interface MemberRoleUpdate {
  /** owner: everything; admin: all but what is the owner’s; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer';
}

/** A confirmation. */
export interface Message {
  /** What happened, for people. */
  message: string;
  /** Whether it worked; failures are problems. */
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
  /** Who said it; agent is a person of the team, and system tells what has happened. */
  role: 'user' | 'assistant' | 'agent' | 'system' | (string & {});
  /** What was said. */
  content: string;
  /** Who of the team wrote it, or is meant by it; visitors are told the first name. */
  author_name: string | null;
  /**
   * What a message of the role system tells of, for programs; its content says it for people. Null for other
   * roles.
   */
  event: MessageReadEvent | null;
  /** The sources of an answer. */
  citations: Array<Citation> | null;
  /** What a flow asks the visitor for at its end; null for all other messages. */
  input: MessageReadInput | null;
  /** Whether the model failed to answer. */
  is_error: boolean;
  /** What kind of failure it was. */
  error_code: string | null;
  /** When it was said. */
  created_at: string;
  /** Their user id; null once the account is deleted. */
  author_id: string | null;
  /** When a message of the team was mailed to the visitor, who had left; null if it was not. */
  mailed_at: string | null;
  /** The model that answered. */
  model: string | null;
  /** Tokens that the model read. */
  input_tokens: number | null;
  /** Tokens that it wrote. */
  output_tokens: number | null;
  /** What they cost; null if unknown. */
  cost_usd: number | null;
  /** From the question to the whole answer. */
  latency_ms: number | null;
  /** From the question to the first text. */
  ttft_ms: number | null;
}

/**
 * What a message of the role system tells of, for programs; its content says it for people. Null for other
 * roles.
 */
export interface MessageReadEvent {
  /** What has happened. */
  kind: 'handoff_requested' | 'agent_joined' | 'handoff_returned' | 'handoff_released' | 'resolved' | 'reopened' | 'ended' | 'lead_captured' | 'consent_changed' | (string & {});
  /** Who asked for a person (handoff_requested). */
  requested_by?: 'visitor' | 'flow' | (string & {}) | undefined;
  /** What the visitor wants of a person (handoff_requested). */
  reason?: string | null | undefined;
  /** Whether the visitor ended it, or nobody had written for too long (ended). */
  ended_by?: 'visitor' | 'sweep' | (string & {}) | undefined;
  /** Keys of the fields that were filled in (lead_captured). */
  fields?: Array<string> | undefined;
  /** What the visitor says now (consent_changed). */
  consent?: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {}) | undefined;
}

/** What a flow asks the visitor for at its end; null for all other messages. */
export interface MessageReadInput {
  /**
   * What it asks for; form: the bot’s lead form, which is sent by submitWidgetLead; booking: a time of
   * listWidgetSlots, which createWidgetBooking books: the flow goes on by itself then.
   */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** What there is to choose; none for what is typed. */
  options: Array<MessageReadInputOptionsItem>;
}

export interface MessageReadInputOptionsItem {
  /** What `option_id` says of it. */
  id: string;
  /** What the visitor reads. */
  label: string;
}

/** What this installation is and allows. */
export interface MetaRead {
  /** Name of the service. */
  name: string;
  /** The current API version. */
  version: string;
  /** Limits that hold on this installation. */
  limits: Record<string, number>;
  /** What API keys can be allowed to do. */
  scopes: Array<string>;
  /** Those of them that an operation of this version asks for: the others allow nothing yet. */
  usable_scopes: Array<string>;
  /** Language tags of the words that visitors get from Parley itself, in the widget and in mails. */
  languages: Array<string>;
  /** Whether a mail server is set, so that mails go out. */
  sends_mail: boolean;
  /**
   * Path of the page of mails that no server takes, which asks for a token of the operator; null where there is
   * none.
   */
  mail_page: string | null;
  /** How alerts go out, by messaging app. */
  alert_channels: MetaReadAlertChannels;
  /** What people can sign in with. */
  identity_providers: Array<string>;
}

/** How alerts go out, by messaging app. */
export interface MetaReadAlertChannels {
  /**
   * provider: as messages. kept: no account is set, so they stay beside the mails, which the operator can look at.
   * none: not at all.
   */
  telegram: 'provider' | 'kept' | 'none' | (string & {});
  /**
   * provider: as messages. kept: no account is set, so they stay beside the mails, which the operator can look at.
   * none: not at all.
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
  /** To be sent with the code of the second factor. */
  challenge_token: string;
  /** Seconds that there are for that. */
  expires_in: number;
  /** Always true: there is no access token yet. */
  mfa_required: boolean;
  /** Whether a recovery code is taken, too. */
  recovery_available: boolean;
}

/** Codes for whoever loses the authenticator app. */
export interface MfaCodesResponse {
  /** 10 codes, each good once in the place of the app; shown this once. */
  recovery_codes: Array<string>;
  /** When they were made. */
  generated_at: string;
}

/** Shows both factors. */
export interface MfaDisableRequest {
  /** The password of the account; null for one that has none, after a fresh sign-in. */
  password: string | null;
  /** Of the authenticator app, or a recovery code that was not used yet. */
  code: string;
}

/** What an authenticator app needs. */
export interface MfaSetupResponse {
  /** In base32; shown this once. */
  secret: string;
  /** What an authenticator app scans as a QR code. */
  uri: string;
  /** The secret in groups of four, to be typed. */
  manual_key: string;
  /** Length of a code. */
  digits: number;
  /** How long a code is shown. */
  period_seconds: number;
}

/** The second factor of an account. */
export interface MfaStatus {
  /** Whether signing in asks for a second factor. */
  enabled: boolean;
  /** Since when. */
  activated_at: string | null;
  /** Whether an authenticator app is being set up. */
  pending: boolean;
  /** Recovery codes that were not used yet. */
  recovery_codes_remaining: number;
  /** When the recovery codes were made. */
  recovery_generated_at: string | null;
}

/** Answers the question for the second factor. */
export interface MfaVerifyRequest {
  /** What the first step of signing in has answered. */
  challenge_token: string;
  /** Of the authenticator app, or a recovery code that was not used yet. */
  code: string;
}

/** A model that a bot can use. */
export interface ModelDescriptor {
  /** What a bot’s `model` names it by. */
  id: string;
  /** platform: the installation’s model; byok: the workspace’s own key; custom: custom_endpoint_config. */
  provider: 'platform' | 'byok' | 'custom' | (string & {});
  /** Its name for people. */
  name: string;
  /** What it can read at once; null if unknown. */
  max_input_tokens: number | null;
  /** What it can answer at once; null if unknown. */
  max_output_tokens: number | null;
  /** Whether it can think before it answers. */
  supports_thinking: boolean;
}

/** A checkout of a tier that nobody has finished. */
export interface OpenCheckout {
  /** A tier by the month, or a top-up. */
  tier: 'starter' | 'pro' | 'business' | 'topup' | (string & {});
  /** Until when it can be paid; null for a change of tier. */
  expires_at: string | null;
}

/** A new workspace. */
export interface OrgCreate {
  /** What people call the workspace. */
  name: string;
}

/** A workspace, with the caller’s role in it. */
export interface OrgRead {
  /** The workspace’s id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Its name in addresses. */
  slug: string;
  /** Its plan. */
  plan_tier: string;
  /** owner: everything; admin: all but what is the owner’s; member: works with bots; viewer: reads. */
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {});
  /** Whether the caller’s sessions begin here. */
  is_default: boolean;
  /** The workspace above it; null for one with none above. */
  parent_org_id: string | null;
  /** Settings of a workspace, with the keys that it has added; those that are not set are absent. */
  settings?: OrgSettings | undefined;
}

/** Settings of a workspace, with the keys that it has added; those that are not set are absent. */
export interface OrgSettings {
  /** The language of bots that are made without one: a language tag, or auto for the visitor’s. */
  default_language?: string | undefined;
  /** The time zone of times in mails and text transcripts, which is UTC without one. */
  time_zone?: string | undefined;
  /**
   * The service that holds the workspace’s own key, without what it is asked with; shown to admins where one
   * workspace is asked for.
   */
  key_service?: OrgSettingsKeyService | undefined;
  [name: string]: unknown;
}

/**
 * The service that holds the workspace’s own key, without what it is asked with; shown to admins where one
 * workspace is asked for.
 */
export interface OrgSettingsKeyService {
  /**
   * vault_transit: a key in a transit engine of HashiCorp Vault or OpenBao. aws_kms: a key in AWS Key Management
   * Service.
   */
  type: 'vault_transit' | 'aws_kms' | (string & {});
  /** Address of the Vault (vault_transit). */
  url?: string | undefined;
  /** Where its transit engine is mounted (vault_transit); `transit` where none is given. */
  mount?: string | undefined;
  /** What the key is called there (vault_transit). */
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
   * The service that holds the workspace’s own key: `{type: "vault_transit", url, mount, key_name, namespace,
   * token}` or `{type: "aws_kms", key_arn, region, access_key_id, secret_access_key}`. It is tried before it is
   * saved. Needs an owner who is signed in.
   */
  key_service?: OrgSettingsUpdateKeyService | null | undefined;
  [name: string]: unknown;
}

/**
 * The service that holds the workspace’s own key: `{type: "vault_transit", url, mount, key_name, namespace,
 * token}` or `{type: "aws_kms", key_arn, region, access_key_id, secret_access_key}`. It is tried before it is
 * saved. Needs an owner who is signed in.
 */
export interface OrgSettingsUpdateKeyService {
  /**
   * vault_transit: a key in a transit engine of HashiCorp Vault or OpenBao. aws_kms: a key in AWS Key Management
   * Service.
   */
  type: 'vault_transit' | 'aws_kms';
  /** Address of the Vault (vault_transit). */
  url?: string | undefined;
  /** Where its transit engine is mounted (vault_transit); `transit` where none is given. */
  mount?: string | undefined;
  /** What the key is called there (vault_transit). */
  key_name?: string | undefined;
  /** Its namespace (vault_transit). */
  namespace?: string | null | undefined;
  /** A token that may encrypt and decrypt with the key (vault_transit); it is kept sealed and never shown. */
  token?: string | undefined;
  /** The ARN of the key (aws_kms). */
  key_arn?: string | undefined;
  /** Its region (aws_kms). */
  region?: string | undefined;
  /** Id of an access key that may use the key (aws_kms); it is kept sealed and never shown. */
  access_key_id?: string | undefined;
  /** The access key itself (aws_kms); it is kept sealed and never shown. */
  secret_access_key?: string | undefined;
}

/** What to change of a workspace. */
export interface OrgUpdate {
  /** What people call the workspace. */
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

/** Who becomes the owner. */
export interface OwnershipTransfer {
  /** The membership of whoever becomes owner. */
  membership_id: string;
  /** The caller’s password; for those who have none, a fresh sign-in counts in its place. */
  password?: string | null | undefined;
}

/** Something that can be bought. */
export interface PlanRead {
  /** A tier by the month, or a top-up. */
  tier: 'starter' | 'pro' | 'business' | 'topup' | (string & {});
  /** What it is called. */
  name: string;
  /** How often it is paid; null for once. */
  interval: 'month' | (string & {}) | null;
  /** What it costs, in the currency’s smallest unit and without tax. */
  amount_cents: number;
  /** ISO 4217, in small letters. */
  currency: string;
  /** What a plan allows to a workspace and all below it together. */
  limits: Limits | null;
  /** Messages of one unit of a top-up, which do not expire; null for a tier. */
  credits: number | null;
  /** Whether the workspace has this plan. */
  is_current: boolean;
}

/** More of the answer. */
export interface PlaygroundDelta {
  /** The next piece of the answer. */
  text: string;
}

/** The whole answer; the last event. */
export interface PlaygroundDone {
  /** The answer, and what went wrong if the model failed. */
  reply: PlaygroundReply;
}

/** The answer, and what went wrong if the model failed. */
export interface PlaygroundReply {
  /** The text of the answer. */
  content: string;
  /** Its sources. */
  citations: Array<Citation>;
  /** The model that answered; null when none was asked. */
  model: string | null;
  /** Tokens that the model read. */
  input_tokens: number | null;
  /** Tokens that it wrote. */
  output_tokens: number | null;
  /** What they cost; null if unknown. */
  cost_usd: number | null;
  /** From the question to the whole answer. */
  latency_ms: number;
  /** From the question to the first text. */
  ttft_ms: number | null;
  /** Why the model did not answer; null when it did. */
  error: PlaygroundReplyError | null;
  /**
   * What the documents were searched for: the message, or a question made of it and the turns before; null where
   * the bot has no documents.
   */
  searched_for: string | null;
}

/** Why the model did not answer; null when it did. */
export interface PlaygroundReplyError {
  /** What kind of failure it was. */
  code: string;
  /** What happened, for people. */
  message: string;
}

/** A test message, with unsaved changes of the configuration if wanted. */
export interface PlaygroundRequest {
  /** What a visitor might say. */
  message: string;
  /** What was said before. */
  history?: Array<PlaygroundTurn> | undefined;
  /**
   * The fields to change; null clears a field that may be empty, sets the default of another one, and keeps name
   * and status.
   */
  config?: BotUpdate | undefined;
}

/** An earlier turn of the trial. */
export interface PlaygroundTurn {
  /** Who said it. */
  role: 'user' | 'assistant';
  /** What was said. */
  content: string;
}

/** Who is told of what. Bot, channel and destination name the policy; the rest replaces what it was. */
export interface PolicyRequest {
  /** The messaging app. */
  channel: string;
  /** Telegram: the id of a chat, or the @name of a public one. WhatsApp: a number with its country code. */
  destination: string;
  /** Whose events are told; null for those of all bots, and of the workspace itself. */
  bot_id?: string | null | undefined;
  /**
   * off: nothing. critical: a visitor waits for a person, a webhook endpoint was disabled, the calendar fails, a
   * limit is reached. leads: also leads and bookings. all: also documents, conversations and contacts. digest:
   * nothing at once, all of it summed up.
   */
  intensity?: 'off' | 'critical' | 'leads' | 'all' | 'digest' | undefined;
  /** What is told at once, in place of what the intensity says. `message.created` comes by no other way. */
  events?: Array<'handoff.requested' | 'webhook.disabled' | 'calendar.failing' | 'usage.limit_reached' | 'lead.captured' | 'booking.created' | 'booking.cancelled' | 'booking.conflict' | 'document.failed' | 'document.indexed' | 'conversation.started' | 'conversation.ended' | 'contact.updated' | 'message.created'> | null | undefined;
  /** How often all is summed up; with the intensity digest daily, unless weekly is asked for. */
  digest?: 'none' | 'daily' | 'weekly' | undefined;
  /** At which hour of the time zone. */
  digest_hour?: number | undefined;
  /** On which day, of weekly ones; 0 is Sunday. */
  digest_weekday?: number | undefined;
  /** Messages of a local day; what comes after is held for a summary the next day. Null for 2000. */
  daily_cap?: number | null | undefined;
  /** For the team. */
  label?: string | undefined;
  /** Whose days and hours count; by default the calendar’s, else the workspace’s, else UTC. */
  timezone?: string | null | undefined;
}

/** RFC 9457 problem details. `detail` is a list for validation_error, a text for every other code. */
export interface Problem {
  /** Resolves to a page about the code. */
  type: string;
  /** What the code means, in a few words. */
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
  /** Where the field stands, step by step. */
  loc: Array<string | number>;
  /** What is wrong with it. */
  msg: string;
  /** The rule that it breaks. */
  type: string;
}

export interface ProblemDetailsItem {
  /** Path of the field, as in fields[0].key. */
  field: string;
  /** JSON Pointer to it, for bodies. */
  pointer?: string | undefined;
  /** Where it stands. */
  in: 'body' | 'path' | 'query' | 'header' | (string & {});
  /** The rule that it breaks. */
  code: string;
  /** What is wrong with it. */
  message: string;
}

/** What went wrong. */
export interface ProblemError {
  /** What to decide by. */
  code: 'malformed_request' | 'malformed_json' | 'unsupported_version' | 'unauthenticated' | 'quota_exceeded' | 'forbidden' | 'fresh_proof_required' | 'not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'conflict' | 'idempotency_in_progress' | 'handoff_disabled' | 'last_owner' | 'last_sign_in_method' | 'slot_taken' | 'payload_too_large' | 'unsupported_media_type' | 'validation_error' | 'idempotency_key_reused' | 'hierarchy_too_deep' | 'url_refused' | 'key_unavailable' | 'rate_limited' | 'internal_error' | 'not_ready' | (string & {});
  /** What happened, for people. */
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
  /**
   * The question as it was asked last, in the visitor’s words; of what is longer than 500 characters the
   * beginning, with an ellipsis.
   */
  question: string;
  /** How often it was asked in the range. */
  asked: number;
  /** How often of those the documents had nothing, the bot said its fallback, or the model failed. */
  unanswered: number;
  /** When it was asked last in the range. */
  last_asked_at: string;
  /** Conversations in which it was asked last, the newest first. */
  conversation_ids: Array<string>;
}

/** What the visitor thinks of the conversation. */
export interface RatingSubmission {
  /** From 1, bad, to 5, good. */
  rating: number;
}

/** Whom the receipt is addressed to, as it was issued. */
export interface ReceiptAddressee {
  /** Street and number. */
  address_line1: string;
  /** More of the address. */
  address_line2: string;
  /** Where the provider sends invoices; an e-mail address. */
  billing_email: string;
  /** City. */
  city: string;
  /** ISO 3166-1 code of the country. */
  country_code: string;
  /** Whom receipts are addressed to. */
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

/** What was paid, as it was issued. */
export interface ReceiptRead {
  /** The receipt’s id. */
  id: string;
  /** Its number, as it is printed. */
  number: string;
  /** When it was issued. */
  issued_at: string;
  /** What was billed, tax included, in the currency’s smallest unit. */
  amount_cents: number;
  /** How much of it is tax. */
  tax_cents: number;
  /** ISO 4217, in small letters. */
  currency: string;
  /** refunded: all of it was given back. */
  status: 'paid' | 'refunded' | (string & {});
  /** What was bought. */
  description: string;
  /** Whom the receipt is addressed to, as it was issued. */
  addressee: ReceiptAddressee;
  /** Whether its file can be downloaded yet. */
  is_file_ready: boolean;
}

/** What the next tokens are got for. */
export interface RefreshRequest {
  /** The refresh token that came last. */
  refresh_token: string;
}

/** A new account. */
export interface RegisterRequest {
  /** E-mail address; capital letters do not matter. */
  email: string;
  /** Any characters, compared in their NFKC form; none that everybody tries first, and not your name or address. */
  password: string;
  /** What the person is called. */
  full_name: string;
  /** What the first workspace is called; by default after the person. */
  organization_name?: string | undefined;
  /**
   * What an invitation’s link to this address ends with: the account gets no workspace of its own, and may be made
   * where registration is closed.
   */
  invitation_token?: string | undefined;
}

/** The token of the link, and the next password. */
export interface ResetPasswordRequest {
  /** The token of the mailed link. */
  token: string;
  /** Any characters, compared in their NFKC form; none that everybody tries first, and not your name or address. */
  new_password: string;
  /** Whether your API keys and linked identity providers end, too; sessions do in any case. */
  end_other_access?: boolean | undefined;
}

/** The new signing secret of an endpoint. */
export interface RotateSecretResponse {
  /** The new signing secret. It is shown this once. */
  secret: string;
  /** Since when attempts are signed with it. */
  rotated_at: string;
}

/** A sign-in that has not ended. */
export interface SessionRead {
  /** The session’s id. */
  id: string;
  /** As its browser describes itself. */
  device: string;
  /** The IP address of the sign-in. */
  place: string | null;
  /** The workspace that it works in. */
  org_id: string | null;
  /** Whether this is the session that asks. */
  is_current: boolean;
  /** When it began. */
  created_at: string;
  /** Its last call, to the minute. */
  last_used_at: string;
  /** When it ends unless it is refreshed. */
  expires_at: string;
}

/** The plan of the workspace, and what is paid for it. */
export interface SubscriptionRead {
  /** The plan that is in effect. */
  tier: 'free' | 'starter' | 'pro' | 'business' | 'enterprise' | (string & {});
  /**
   * none: nothing was ever bought. past_due: a payment has failed and is tried again; the tier stays. ended:
   * cancelled, or not paid in the end.
   */
  status: 'none' | 'trialing' | 'active' | 'past_due' | 'ended' | (string & {});
  /** Whether this workspace pays. False for one below another, which sees tier and limits alone. */
  is_billed_here: boolean;
  /** When the paid period began. */
  period_start: string | null;
  /** When it ends. */
  period_end: string | null;
  /** When the next payment is due; null for a subscription that ends. */
  renews_at: string | null;
  /** When a cancelled subscription ends, or has ended. */
  ends_at: string | null;
  /** Messages of top-ups that are not used up. */
  topup_credits_left: number;
  /** What a plan allows to a workspace and all below it together. */
  limits: Limits;
  /** A checkout of a tier that nobody has finished. */
  checkout: OpenCheckout | null;
  /** When this was last compared with the payment provider. */
  synced_at: string | null;
}

/** Where to go on. */
export interface SwitchOrgRequest {
  /** The workspace to work in. */
  org_id: string;
  /**
   * Of the session that goes on. Without it, the session must have begun within the last minutes:
   * `fresh_proof_required`.
   */
  refresh_token?: string | null | undefined;
}

/** Somebody is signed in. */
export interface TokenResponse {
  /** Goes into the Authorization header, as an API key does. */
  access_token: string;
  /** The scheme of the Authorization header. */
  token_type: 'Bearer';
  /** Seconds that the access token is good for. */
  expires_in: number;
  /** Good once, for the next pair of tokens, within 30 days and 90 days of the sign-in. */
  refresh_token: string;
  /** The workspace that the access token is for; null for a member of none. */
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
  /** What the key is called now; null for one that is gone. */
  api_key_name: string | null;
  /** Whether it worked. */
  outcome: 'succeeded' | 'failed' | (string & {});
  /** Why it did not; null where it worked. */
  error_code: string | null;
  /**
   * What it was given, without secrets, e-mail addresses and phone numbers; long texts are cut, and of whole
   * documents there are length and digest.
   */
  arguments: Record<string, unknown>;
  /** How long it took. */
  duration_ms: number;
  /** Name and version that the client gives itself. */
  client: string | null;
  /** The request that it was part of. */
  request_id: string;
  /** When it was called. */
  created_at: string;
}

/** What was used on a day. */
export interface UsageDay {
  /** The day (UTC). */
  date: string;
  /** Which bot; null for what belongs to none, and where bots are not told apart. */
  bot_id: string | null;
  /** Which model; null where none was asked, and where models are not told apart. */
  model: string | null;
  /** Visitors’ turns that bots answer, as they were taken. */
  messages: number;
  /** Tokens that models have read. */
  input_tokens: number;
  /** Tokens that models have written. */
  output_tokens: number;
  /** What models have cost, by the prices that are known, in US dollars. */
  cost_usd: number;
}

/** What was used in a month, and what the plan has. */
export interface UsageSummary {
  /** When the month begins. */
  from: string;
  /** When it ends; the first moment of the next one. */
  to: string;
  /** How many workspaces are added up. */
  workspaces: number;
  /** Visitors’ turns that bots answer, as they were taken. */
  messages: number;
  /** Tokens that models have read. */
  input_tokens: number;
  /** Tokens that models have written. */
  output_tokens: number;
  /** What models have cost, by the prices that are known, in US dollars. */
  cost_usd: number;
  /** Documents that there are now, pages of sites among them. */
  documents: number;
  /** Bots that there are now and that are not archived. */
  bots: number;
  /** People but viewers now, those who are invited among them. */
  seats: number;
  /** Messages that were sent in messaging apps. */
  alerts: number;
  /**
   * What is left of the present month’s messages for all whom the workspace pays for, without top-ups; null for
   * another month, where nothing limits them, and where another workspace pays.
   */
  messages_left: number | null;
  /** Messages of top-ups that there are now; null where nothing limits messages, or another workspace pays. */
  topup_credits_left: number | null;
  /** What a plan allows to a workspace and all below it together. */
  limits: Limits;
  /**
   * Limits of the present month that are used up, top-ups included, and others that more is kept of than the plan
   * has; empty for another month.
   */
  exceeded: Array<'messages_per_month' | 'documents' | 'bots' | 'seats' | 'alerts_per_month' | (string & {})>;
}

/** A turn as the visitor sees it: without model, tokens and cost. */
export interface VisitorMessageRead {
  /** The message’s id. */
  id: string;
  /** Who said it; agent is a person of the team, and system tells what has happened. */
  role: 'user' | 'assistant' | 'agent' | 'system' | (string & {});
  /** What was said. */
  content: string;
  /** Who of the team wrote it, or is meant by it; visitors are told the first name. */
  author_name: string | null;
  /**
   * What a message of the role system tells of, for programs; its content says it for people. Null for other
   * roles.
   */
  event: VisitorMessageReadEvent | null;
  /** The sources of an answer. */
  citations: Array<Citation> | null;
  /** What a flow asks the visitor for at its end; null for all other messages. */
  input: VisitorMessageReadInput | null;
  /** Whether the model failed to answer. */
  is_error: boolean;
  /** What kind of failure it was. */
  error_code: string | null;
  /** When it was said. */
  created_at: string;
}

/**
 * What a message of the role system tells of, for programs; its content says it for people. Null for other
 * roles.
 */
export interface VisitorMessageReadEvent {
  /** What has happened. */
  kind: 'handoff_requested' | 'agent_joined' | 'handoff_returned' | 'handoff_released' | 'resolved' | 'reopened' | 'ended' | 'lead_captured' | 'consent_changed' | (string & {});
  /** Who asked for a person (handoff_requested). */
  requested_by?: 'visitor' | 'flow' | (string & {}) | undefined;
  /** What the visitor wants of a person (handoff_requested). */
  reason?: string | null | undefined;
  /** Whether the visitor ended it, or nobody had written for too long (ended). */
  ended_by?: 'visitor' | 'sweep' | (string & {}) | undefined;
  /** Keys of the fields that were filled in (lead_captured). */
  fields?: Array<string> | undefined;
  /** What the visitor says now (consent_changed). */
  consent?: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {}) | undefined;
}

/** What a flow asks the visitor for at its end; null for all other messages. */
export interface VisitorMessageReadInput {
  /**
   * What it asks for; form: the bot’s lead form, which is sent by submitWidgetLead; booking: a time of
   * listWidgetSlots, which createWidgetBooking books: the flow goes on by itself then.
   */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** What there is to choose; none for what is typed. */
  options: Array<VisitorMessageReadInputOptionsItem>;
}

export interface VisitorMessageReadInputOptionsItem {
  /** What `option_id` says of it. */
  id: string;
  /** What the visitor reads. */
  label: string;
}

/** From a request until the first member had the conversation. */
export interface WaitPercentiles {
  /** Half of them took no longer, to 5 %; null where there are none. */
  p50: number | null;
  /** Nine of ten took no longer, to 5 %; null where there are none. */
  p90: number | null;
}

/** A new endpoint. */
export interface WebhookCreate {
  /** Send only events of this bot; null for those of all bots. */
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
  /** The version that deliveries keep to. */
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
  /** How many of them failed. */
  failure_count: number;
  /** Why the last failed attempt failed. */
  last_error: string | null;
  /** When an attempt failed last. */
  last_failure_at: string | null;
  /** When an attempt succeeded last. */
  last_success_at: string | null;
  /** When it was disabled because it kept failing. */
  disabled_at: string | null;
  /** The last 4 characters of the signing secret. */
  secret_hint: string | null;
  /** When the endpoint was made. */
  created_at: string;
  /** When it was changed last. */
  updated_at: string;
  /** The signing secret. It is shown this once. */
  secret: string;
}

/** An event sent, or to be sent, to an endpoint. */
export interface WebhookDeliveryResponse {
  /** The same on every attempt: x-webhook-delivery. */
  id: string;
  /** The endpoint that it is for. */
  webhook_id: string;
  /** Name of the event. */
  event: string;
  /** pending: not tried yet; retrying: failed, will be tried again; delivered; failed: given up. */
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | (string & {});
  /** How often it was sent. */
  attempts: number;
  /** What each attempt came to, the first one first. */
  attempt_log: Array<DeliveryAttempt>;
  /** Why the last attempt failed, or why it waits (`endpoint_failing`, `secret_unavailable`), as `code: sentence`. */
  reason: string | null;
  /** When a delivery that is retrying is tried again. */
  next_attempt_at: string | null;
  /** What the receiver answered last. */
  response_status: number | null;
  /** The first 4 KiB of that answer. */
  response_body: string | null;
  /** How long the last attempt took. */
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
  /** When the receiver accepted it. */
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
  /** The version that deliveries keep to. */
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
  /** How many of them failed. */
  failure_count: number;
  /** Why the last failed attempt failed. */
  last_error: string | null;
  /** When an attempt failed last. */
  last_failure_at: string | null;
  /** When an attempt succeeded last. */
  last_success_at: string | null;
  /** When it was disabled because it kept failing. */
  disabled_at: string | null;
  /** The last 4 characters of the signing secret. */
  secret_hint: string | null;
  /** When the endpoint was made. */
  created_at: string;
  /** When it was changed last. */
  updated_at: string;
}

/** How the first attempt of a test went. */
export interface WebhookTestResponse {
  /** The test in the delivery log. */
  delivery_id: string;
  /** The endpoint answered with a 2xx status. */
  ok: boolean;
  /** What it answered; null when nothing came. */
  status_code: number | null;
  /** How long the attempt took. */
  duration_ms: number;
  /** Why the attempt failed, as `code: sentence`. */
  error: string | null;
}

/** What to change of an endpoint. */
export interface WebhookUpdate {
  /** Send only events of this bot; null for those of all bots. */
  bot_id?: string | null | undefined;
  /** A public https address. Private, loopback and link-local addresses are refused. */
  url?: string | undefined;
  /** For the team. */
  description?: string | null | undefined;
  /** False: nothing is sent any more. True: sends again, and forgets earlier failures. */
  is_active?: boolean | undefined;
}

/** What the answer is drawn from. */
export interface WidgetCitations {
  /** The sources of the answer. */
  citations: Array<Citation>;
}

/**
 * The stream ends and the conversation does not; the last event. Do not open it again before the visitor comes
 * back to the page.
 */
export interface WidgetClosed {
  /** too_many_streams: newer ones of the session took its place; bot_off: the bot is switched off. */
  reason: 'too_many_streams' | 'bot_off' | (string & {});
}

/** What the widget shows before anybody has said anything. */
export interface WidgetConfig {
  /** The bot’s public_key. */
  public_key: string;
  /** What the bot is called. */
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
  /** What visitors can choose from; null when the directory is off. */
  directory: WidgetConfigDirectory | null;
  /** Whether visitors can ask for a person. */
  handoff_enabled: boolean;
  /**
   * How the bot’s active flow of `conversation_started` begins, to show in the place of the welcome message; it is
   * not said again. Where it asks for something, the visitor’s first message is what was asked for. Null where
   * there is none.
   */
  opening: WidgetConfigOpening | null;
  /**
   * That visitors can book meetings: listWidgetSlots has the times. Null where the workspace has no calendar, has
   * paused it, or has to connect it again.
   */
  booking: WidgetConfigBooking | null;
}

/**
 * That visitors can book meetings: listWidgetSlots has the times. Null where the workspace has no calendar, has
 * paused it, or has to connect it again.
 */
export interface WidgetConfigBooking {
  /** Minutes of a meeting. */
  slot_minutes: number;
  /** The calendar’s time zone. */
  timezone: string;
  /** Days ahead that slots are offered for. */
  horizon_days: number;
}

/** What visitors can choose from; null when the directory is off. */
export interface WidgetConfigDirectory {
  /** What the category is called. */
  category_label: string;
  /** What the choice is called. */
  choice_label: string;
  /** All choices; resolveWidgetDirectory answers with the link of one. */
  entries: Array<WidgetConfigDirectoryEntriesItem>;
}

export interface WidgetConfigDirectoryEntriesItem {
  /** The category; empty where choices have none. */
  category: string;
  /** The choice. */
  name: string;
}

/**
 * How the bot’s active flow of `conversation_started` begins, to show in the place of the welcome message; it is
 * not said again. Where it asks for something, the visitor’s first message is what was asked for. Null where
 * there is none.
 */
export interface WidgetConfigOpening {
  /** What the bot says, in Markdown. */
  text: string;
  /** What a flow asks the visitor for at its end; null for all other messages. */
  input: WidgetConfigOpeningInput | null;
}

/** What a flow asks the visitor for at its end; null for all other messages. */
export interface WidgetConfigOpeningInput {
  /**
   * What it asks for; form: the bot’s lead form, which is sent by submitWidgetLead; booking: a time of
   * listWidgetSlots, which createWidgetBooking books: the flow goes on by itself then.
   */
  kind: 'choice' | 'text' | 'email' | 'phone' | 'number' | 'date' | 'form' | 'booking' | (string & {});
  /** What there is to choose; none for what is typed. */
  options: Array<WidgetConfigOpeningInputOptionsItem>;
}

export interface WidgetConfigOpeningInputOptionsItem {
  /** What `option_id` says of it. */
  id: string;
  /** What the visitor reads. */
  label: string;
}

/** More of the answer. */
export interface WidgetDelta {
  /** The next piece of the answer. */
  text: string;
}

/** The whole answer, or the visitor’s message if it gets none; the last event. */
export interface WidgetDone {
  /** A turn as the visitor sees it: without model, tokens and cost. */
  message: VisitorMessageRead;
}

/** The conversation is over; the last event. */
export interface WidgetEnded {
  /** When the conversation ended; null when it was removed. */
  ended_at: string | null;
}

/** The answer failed. */
export interface WidgetError {
  /** What kind of failure it is. */
  code: string;
  /** What happened, for people. */
  message: string;
}

/** The bot is silent, because a person is asked for or has taken over. */
export interface WidgetHandoff {
  /** The state that the conversation is in. */
  status: 'active' | 'waiting_human' | 'human' | 'ended' | (string & {});
  /** Who of the team has the conversation, by first name. */
  agent_name: string | null;
  /** For visitors who ask for a person; absent where the bot has no handoff_config. */
  handoff_notice?: WidgetHandoffHandoffNotice | undefined;
}

/** For visitors who ask for a person; absent where the bot has no handoff_config. */
export interface WidgetHandoffHandoffNotice {
  /** What the team says to visitors who ask for a person at this time. */
  message: string | null;
  /** Whether people answer at this time. */
  is_open: boolean;
  /** When they answer again; null while they do. */
  opens_at: string | null;
  /** Whether a request is taken at this time. */
  accepts_requests: boolean;
}

/**
 * Somebody of the team says something, a flow goes on without an answer, or, in the role system, something has
 * happened.
 */
export interface WidgetMessage {
  /** A turn as the visitor sees it: without model, tokens and cost. */
  message: VisitorMessageRead;
}

/** A visitor’s message. */
export interface WidgetMessageCreate {
  /** What the visitor says; not only white space. */
  content: string;
  /** The page’s own id of the message: sent again, it finds the answer under way. */
  client_id?: string | undefined;
  /**
   * The option that was picked of those that the last message asks with; `content` says its label. One that is not
   * among them counts as typed.
   */
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
  /** Who of the team has the conversation, by first name. */
  agent_name: string | null;
  /** Whether to ask for contact details now. */
  lead_form_due: boolean;
  /** Whether the visitor has agreed to be recorded. */
  consent: 'unknown' | 'granted' | 'denied' | 'withdrawn' | (string & {});
  /** When the visitor said so. */
  consent_at: string | null;
  /** Messages of both sides. */
  message_count: number;
  /** The visitor’s rating, 1 to 5. */
  rating: number | null;
  /** What a form for bookings can be filled in with; absent where nothing is known. */
  attendee?: WidgetSessionAttendee | undefined;
  /** For visitors who ask for a person; absent where the bot has no handoff_config. */
  handoff_notice?: WidgetSessionHandoffNotice | undefined;
}

/** What a form for bookings can be filled in with; absent where nothing is known. */
export interface WidgetSessionAttendee {
  /** The name that the visitor has left in this session. */
  name: string | null;
  /** The address that the visitor has left in this session. */
  email: string | null;
  /** Whether the visitor’s address is known, so that bookings may leave it out. */
  has_email: boolean;
}

/** A new session. */
export interface WidgetSessionCreate {
  /** What the page calls the visitor; by default that of the visitor_secret, or a new one. It proves nothing. */
  visitor_id?: string | undefined;
  /**
   * Proves that it is the browser of an earlier session, whose answer had it: what is known of its visitor is this
   * visitor’s, too. Without it the visitor is a new one, whatever the visitor_id.
   */
  visitor_secret?: string | undefined;
  /** The page that the visitor is on. */
  page_url?: string | undefined;
  /** The page that led the visitor to it. */
  referrer?: string | undefined;
  /**
   * Proves who the visitor is: a JWT of at most an hour, signed by HS256 with the bot’s identity_secret; claims
   * sub, exp, and email if known.
   */
  identity_token?: string | undefined;
}

/** A session and the credential for it. */
export interface WidgetSessionCreated {
  /** The session’s id. */
  session_id: string;
  /** What the page calls the visitor, or the new id. */
  visitor_id: string;
  /** Keep it in the browser, and send it when the next session of this visitor starts. */
  visitor_secret: string;
  /** Send it as a Bearer token with every call of the session. */
  visitor_token: string;
  /** Seconds after its last use at which the token ends. */
  expires_in: number;
}

/** For visitors who ask for a person; absent where the bot has no handoff_config. */
export interface WidgetSessionHandoffNotice {
  /** What the team says to visitors who ask for a person at this time. */
  message: string | null;
  /** Whether people answer at this time. */
  is_open: boolean;
  /** When they answer again; null while they do. */
  opens_at: string | null;
  /** Whether a request is taken at this time. */
  accepts_requests: boolean;
}

/**
 * The widget’s looks. Of these fields, what does not fit is kept and passed over; further keys are kept as they
 * are. At most 1000 values in all.
 */
export interface WidgetTheme {
  /** A two-stop linear gradient for launcher and header. */
  gradient?: Gradient | null | undefined;
  /** Colours for visitors whose system is dark. */
  dark_palette?: DarkPalette | null | undefined;
  /** Launcher, buttons and the visitor’s bubbles. A colour as #rrggbb. */
  primary_color?: unknown | undefined;
  /** What the visitor says. A colour as #rrggbb. */
  user_bubble_text?: unknown | undefined;
  /** Behind what the bot says. A colour as #rrggbb. */
  bot_bubble_bg?: unknown | undefined;
  /** What the bot says. A colour as #rrggbb. */
  bot_bubble_text?: unknown | undefined;
  /** Behind the conversation. A colour as #rrggbb. */
  messages_bg?: unknown | undefined;
  /** Behind header and input. A colour as #rrggbb. */
  panel_bg?: unknown | undefined;
  /** Borders. A colour as #rrggbb. */
  border_color?: unknown | undefined;
  /** At which edge of the page the launcher is: left or right. */
  position?: unknown | undefined;
  /** An image of the bot; uploadBotAvatar sets it. */
  avatar_url?: unknown | undefined;
  [name: string]: unknown;
}

/** The data of a server-sent event; its title is the event’s name. */
export type PlaygroundEvent =
  /** More of the answer. */
  | StreamEventOf<'delta', PlaygroundDelta>
  /** The whole answer; the last event. */
  | StreamEventOf<'done', PlaygroundDone>;

/** The data of a server-sent event; its title is the event’s name. */
export type InboxEvent =
  /** It is in the inbox: it was before, has come, has changed hands, or something was said. */
  | StreamEventOf<'item', InboxItem>
  /** It has left the inbox: the bot has it again, it has ended, or it is deleted. */
  | StreamEventOf<'removed', InboxRemoved>;

/** The data of a server-sent event; its title is the event’s name. */
export type WidgetEvent =
  /** The message is stored and its answer begins. */
  | StreamEventOf<'message.started', WidgetMessageStarted>
  /** More of the answer. */
  | StreamEventOf<'delta', WidgetDelta>
  /** What the answer is drawn from. */
  | StreamEventOf<'citations', WidgetCitations>
  /** The bot is silent, because a person is asked for or has taken over. */
  | StreamEventOf<'handoff', WidgetHandoff>
  /**
   * Somebody of the team says something, a flow goes on without an answer, or, in the role system, something has
   * happened.
   */
  | StreamEventOf<'message', WidgetMessage>
  /**
   * The stream ends and the conversation does not; the last event. Do not open it again before the visitor comes
   * back to the page.
   */
  | StreamEventOf<'closed', WidgetClosed>
  /** The conversation is over; the last event. */
  | StreamEventOf<'ended', WidgetEnded>
  /** The answer failed. */
  | StreamEventOf<'error', WidgetError>
  /** The whole answer, or the visitor’s message if it gets none; the last event. */
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
