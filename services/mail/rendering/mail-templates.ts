import type { CalendarAttachment } from '../../../adapters/mail/mail-transport.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Language } from '../../../core/languages.ts';
import type { OrgRole } from '../../../entities/team/membership.entity.ts';

/**
 * Values that the template of each email inserts, as plain text. Exceptions: links (`link` or `…Link`), which
 * Parley builds, and `markdown`, which the operator writes.
 */
export interface MailData {
  verify_email: MailedLink;
  address_taken: { name: string; signInLink: string; resetLink: string };
  reset_password: MailedLink;
  password_changed: { name: string };
  sign_in_code: { name: string; code: string; lifetime: string };
  /**
   * Email to an address that a person enters for an account of an identity provider, because the provider
   * confirms no address.
   */
  identity_code: { provider: string; code: string; lifetime: string };
  new_sign_in: { name: string; device: string; place: string; at: Date };
  second_factor_changed: { name: string; isOn: boolean };
  invitation: Invitation;
  invitation_reminder: Invitation;
  webhook_disabled: { orgName: string; url: string; reason: string; link: string };
  alerts_blocked: { orgName: string; channel: string; destination: string; reason: string; link: string };
  calendar_failing: { orgName: string; account: string; reason: string; link: string };
  key_service_failing: { orgName: string; meaning: string; reason: string; link: string };
  key_service_back: { orgName: string; link: string };
  handoff_requested: HandoffRequest;
  note_mention: {
    orgName: string;
    authorName: string;
    /** Note that the daily limit of emails about meetings is reached; empty if it is not. */
    closing: string;
    link: string;
  };
  lead_captured: CapturedLead;
  content_failed: { orgName: string; botName: string; count: number; failures: string[]; link: string };
  usage_reached: {
    orgName: string;
    botName: string;
    percent: number;
    used: number;
    cap: number;
    meaning: string;
    link: string;
  };
  plan_used: { orgName: string; percent: number; used: number; limit: number; meaning: string; link: string };
  team_reply: TeamReply & { link: string; goOn: string };
  team_reply_without_page: TeamReply;
  meeting_booked: TeamMeeting;
  meeting_moved: TeamMeeting;
  meeting_cancelled: TeamMeeting;
  meeting_conflict: TeamMeeting;
  booking_confirmed: AttendeeMail & { link: string; goOn: string };
  booking_moved: AttendeeMail & { link: string; goOn: string };
  booking_reminder: AttendeeMail & { link: string; goOn: string };
  booking_cancelled: AttendeeMail;
  /** Weekly summary for a user: the figures of their workspaces. */
  week_brought: TranslatedTexts & {
    greeting: string;
    intro: string;
    report: string[];
    open: string;
    link: string;
  };
  announcement: TranslatedTexts & { markdown: string };
  account_deleted: { name: string };
  access_notice: {
    name: string;
    subject: string;
    intro: string;
    /** Changes of access that the email reports, one per line. */
    items: string[];
    actor: string;
    place: string;
    at: Date;
    advice: string;
    button: string;
    link: string;
  };
  account_notice: {
    name: string;
    subject: string;
    what: string;
    orgName: string;
    place: string;
    at: Date;
    resetLink: string;
  };
  password_reset: { name: string; access: string };
  codes_paused: { name: string; codes: string; until: Date; otherWays: string; resetLink: string };
  ownership_transferred: { orgName: string; name: string };
  workspace_deleted: { orgName: string; name: string; byName: string };
}

interface MailedLink {
  name: string;
  /** Text that says how long the link in the email is valid, such as “60 minutes”. */
  lifetime: string;
  link: string;
}

interface HandoffRequest {
  orgName: string;
  botName: string;
  subject: string;
  /** Name of the visitor, or a phrase for a visitor without a name. */
  visitor: string;
  /** Latest messages of the conversation with their authors, one per line. */
  messages: string[];
  page: string;
  link: string;
}

interface CapturedLead {
  orgName: string;
  botName: string;
  /** Contact as the subject line of the email names it: by name, email address or phone number. */
  contact: string;
  contactName: string;
  email: string;
  phone: string;
  page: string;
  /** Latest message of the visitor. */
  question: string;
  /** Other fields that the visitor filled in, one per line of the email. */
  fields: string[];
  link: string;
}

/** Values of an email to a visitor with the team's replies, in the visitor's language. */
interface TeamReply {
  language: Language;
  botName: string;
  subject: string;
  greeting: string;
  intro: string;
  /** Text of the team's replies, one entry per line. */
  replies: string[];
  note: string;
  why: string;
}

/** Language of a translated email, with its subject and the reason why the reader gets it. */
interface TranslatedTexts {
  language: Language;
  subject: string;
  why: string;
  turnOff: string;
}

interface TeamMeeting extends TranslatedTexts {
  greeting: string;
  intro: string;
  /** Time, topic and participants of the meeting, one per line. */
  details: string[];
  open: string;
  link: string;
}

/** Values of an email to the attendee of a meeting, in the attendee's language. */
interface AttendeeMail {
  language: Language;
  /** Name of the bot through which the meeting was booked, or of its workspace. */
  botName: string;
  subject: string;
  greeting: string;
  intro: string;
  /** Details of the meeting, one per line. */
  details: string[];
  /** Lines of the description that the team wrote for the meeting. */
  ownWords: string[];
  note: string;
  why: string;
}

interface Invitation {
  /**
   * Warning that Parley has not checked the workspace that invites the recipient; empty if none is needed.
   */
  notice: string;
  orgName: string;
  inviterName: string;
  role: OrgRole;
  link: string;
  expiresAt: Date;
}

export type MailTemplate = keyof MailData;

/** Categories of email that users can turn off, with their descriptions. */
export const mailCategories = {
  leads: 'A visitor left their contact details.',
  handoff: 'A visitor asked for a person, or a colleague mentioned you in a note.',
  content: 'A document or site could not be read, or needs your attention.',
  usage: 'A bot’s monthly answers or the plan’s monthly messages are used up, or soon will be.',
  health: 'Something stopped working, such as a webhook endpoint that was disabled.',
  digest: 'A weekly summary of your workspaces, on Mondays.',
  product: 'News about Parley.',
  bookings: 'A meeting was booked, moved or canceled.',
} as const;

export type MailCategory = keyof typeof mailCategories;

/**
 * Kinds of email. Users can turn off only categories. `security` email is sent even to email addresses that
 * have refused email.
 */
export type MailKind = MailCategory | 'security' | 'billing' | 'invitations' | 'visitors';

export const mailKinds = {
  verify_email: 'security',
  address_taken: 'security',
  reset_password: 'security',
  password_changed: 'security',
  sign_in_code: 'security',
  identity_code: 'security',
  new_sign_in: 'security',
  second_factor_changed: 'security',
  invitation: 'invitations',
  invitation_reminder: 'invitations',
  webhook_disabled: 'health',
  alerts_blocked: 'health',
  calendar_failing: 'health',
  key_service_failing: 'health',
  key_service_back: 'health',
  handoff_requested: 'handoff',
  note_mention: 'handoff',
  lead_captured: 'leads',
  content_failed: 'content',
  usage_reached: 'usage',
  plan_used: 'usage',
  team_reply: 'visitors',
  team_reply_without_page: 'visitors',
  meeting_booked: 'bookings',
  meeting_moved: 'bookings',
  meeting_cancelled: 'bookings',
  meeting_conflict: 'bookings',
  booking_confirmed: 'visitors',
  booking_moved: 'visitors',
  booking_reminder: 'visitors',
  booking_cancelled: 'visitors',
  week_brought: 'digest',
  announcement: 'product',
  account_deleted: 'security',
  access_notice: 'security',
  account_notice: 'security',
  password_reset: 'security',
  codes_paused: 'security',
  ownership_transferred: 'security',
  workspace_deleted: 'security',
} as const satisfies Record<MailTemplate, MailKind>;

const contentKinds: ReadonlySet<MailKind> = new Set(['leads', 'handoff', 'visitors', 'bookings']);

/**
 * Templates of emails with content of conversations, contacts or bookings; these emails are stored encrypted.
 * All other emails can be queued and sent without the workspace's encryption key.
 */
export const contentMails: readonly MailTemplate[] = (Object.keys(mailKinds) as MailTemplate[]).filter(
  (template) => contentKinds.has(mailKinds[template]),
);

/** Templates of emails to account holders that exist in several languages. */
export const translatedMails: ReadonlySet<MailTemplate> = new Set([
  'week_brought',
  'announcement',
  'meeting_booked',
  'meeting_moved',
  'meeting_cancelled',
  'meeting_conflict',
]);

/** Categories of email that have at least one template. */
export const sentCategories: ReadonlySet<MailCategory> = new Set(
  (Object.values(mailKinds) as MailKind[]).filter(isMailCategory),
);

export function isMailCategory(kind: MailKind): kind is MailCategory {
  return Object.hasOwn(mailCategories, kind);
}

export type MailLifetimeSettings = Pick<
  Settings,
  'signInCodeSeconds' | 'resetLinkSeconds' | 'verifyLinkSeconds'
>;

/**
 * Formats the lifetime of a link or code as text: in whole hours if it is two hours or longer, otherwise in
 * minutes.
 */
export function describeLifetime(seconds: number): string {
  const minutes = Math.max(1, Math.floor(seconds / 60));
  if (minutes >= 120) return `${Math.floor(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Seconds after which an email is no longer sent, because its link or code has expired. By template. */
export function mailLifetimes(settings: MailLifetimeSettings) {
  return {
    sign_in_code: settings.signInCodeSeconds,
    identity_code: settings.signInCodeSeconds,
    reset_password: settings.resetLinkSeconds,
    verify_email: settings.verifyLinkSeconds,
  } satisfies { readonly [T in MailTemplate]?: number };
}

/** An email to one email address, to be queued. */
export type Mail = { [T in MailTemplate]: TemplateMail<T> }[MailTemplate];

type TemplateMail<T extends MailTemplate> = {
  to: string;
  orgId?: string;
  template: T;
  data: MailData[T];
  /**
   * Digest of the link or code in the email, as stored in the database. The email is sent only while that link
   * or code is valid.
   */
  secretDigest?: string;
  calendar?: CalendarAttachment;
  /** Idempotency key of the email: emails with the same key are queued once. */
  key?: string;
} & ((typeof mailKinds)[T] extends MailCategory ? Reader : Partial<Reader>);

interface Reader {
  /** Id of the user whose email preferences apply. */
  userId: string;
}
