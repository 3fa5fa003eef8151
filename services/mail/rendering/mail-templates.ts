import type { MailedMeeting } from '../../../adapters/mail/mail-transport.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Language } from '../../../core/languages.ts';
import type { OrgRole } from '../../../entities/team/membership.entity.ts';

/**
 * What each mail says. Its values are shown as text; those named `link` or `…Link` are links, which we make, and `markdown` is
 * Markdown of the operator.
 */
export interface MailData {
  verify_email: MailedLink;
  address_taken: { name: string; signInLink: string; resetLink: string };
  reset_password: MailedLink;
  password_changed: { name: string };
  sign_in_code: { name: string; code: string; lifetime: string };
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
  week_brought: OwnWords & { greeting: string; intro: string; report: string[]; open: string; link: string };
  announcement: OwnWords & { markdown: string };
  account_deleted: { name: string };
  access_notice: {
    name: string;
    subject: string;
    intro: string;
    /** Line by line. */
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
  /** How long the link works: “60 minutes”. */
  lifetime: string;
  link: string;
}

interface HandoffRequest {
  orgName: string;
  botName: string;
  subject: string;
  /** Name of the visitor, or words for one without a name. */
  visitor: string;
  /** The last messages, line by line, each after its author. */
  messages: string[];
  page: string;
  link: string;
}

interface CapturedLead {
  orgName: string;
  botName: string;
  /** What the subject names: the name, or else the email or phone. */
  contact: string;
  contactName: string;
  email: string;
  phone: string;
  page: string;
  /** The last message of the visitor. */
  question: string;
  /** Further fields of the form, line by line. */
  fields: string[];
  link: string;
}

/** In the visitor's language. */
interface TeamReply {
  language: Language;
  botName: string;
  subject: string;
  greeting: string;
  intro: string;
  /** Line by line. */
  replies: string[];
  note: string;
  why: string;
}

/** In the reader's language, with what is said below the mail. */
interface OwnWords {
  language: Language;
  subject: string;
  why: string;
  turnOff: string;
}

interface TeamMeeting extends OwnWords {
  greeting: string;
  intro: string;
  /** Line by line: when, what, with whom. */
  details: string[];
  open: string;
  link: string;
}

/** In the attendee's language. */
interface AttendeeMail {
  language: Language;
  /** The bot's, or the workspace's. */
  botName: string;
  subject: string;
  greeting: string;
  intro: string;
  /** Line by line. */
  details: string[];
  /** The team's. */
  ownWords: string[];
  note: string;
  why: string;
}

interface Invitation {
  /** What the reader is told of the workspace; empty where there is nothing to tell. */
  notice: string;
  orgName: string;
  inviterName: string;
  role: OrgRole;
  link: string;
  expiresAt: Date;
}

export type MailTemplate = keyof MailData;

/** Kinds of mail that people can turn off, and what they are told of each. */
export const mailCategories = {
  leads: 'A visitor left their contact details.',
  handoff: 'A visitor asked for a person.',
  content: 'A document or site could not be read, or needs another look.',
  usage: 'A bot has used up its answers of the month, or the plan its messages, or soon will.',
  health: 'Something stopped working, such as a webhook endpoint that was disabled.',
  digest: 'What the week has brought in your workspaces, on Mondays.',
  product: 'News about what is new in Parley.',
  bookings: 'A meeting was booked, moved or cancelled.',
} as const;

export type MailCategory = keyof typeof mailCategories;

/** Mail that cannot be turned off; `security` mail goes even to an address that has refused mail before. */
export type MailKind = MailCategory | 'security' | 'billing' | 'invitations' | 'visitors';

export const mailKinds = {
  verify_email: 'security',
  address_taken: 'security',
  reset_password: 'security',
  password_changed: 'security',
  sign_in_code: 'security',
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

/** Mails that tell what was said, or of whom; all others can be queued and sent while the key of their workspace is away. */
export const contentMails: readonly MailTemplate[] = (Object.keys(mailKinds) as MailTemplate[]).filter(
  (template) => contentKinds.has(mailKinds[template]),
);

/** Mails to people with an account that come in their language. */
export const translatedMails: ReadonlySet<MailTemplate> = new Set([
  'week_brought',
  'announcement',
  'meeting_booked',
  'meeting_moved',
  'meeting_cancelled',
  'meeting_conflict',
]);

/** The categories of which there are mails. */
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

/** Says a lifetime in whole hours from two hours on, otherwise in minutes. */
export function describeLifetime(seconds: number): string {
  const minutes = Math.max(1, Math.floor(seconds / 60));
  if (minutes >= 120) return `${Math.floor(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** How many seconds there is use in a mail after it was queued: as long as what is in it is good. */
export function mailLifetimes(settings: MailLifetimeSettings) {
  return {
    sign_in_code: settings.signInCodeSeconds,
    reset_password: settings.resetLinkSeconds,
    verify_email: settings.verifyLinkSeconds,
  } satisfies { readonly [T in MailTemplate]?: number };
}

/** A mail to one address. */
export type Mail = { [T in MailTemplate]: MailOf<T> }[MailTemplate];

type MailOf<T extends MailTemplate> = {
  to: string;
  orgId?: string;
  template: T;
  data: MailData[T];
  /** Of the link or code in it, as it is kept: the mail goes out only while that is good. */
  secretDigest?: string;
  calendar?: MailedMeeting;
  /** Queued twice with the same key, it is one mail. */
  key?: string;
} & ((typeof mailKinds)[T] extends MailCategory ? Reader : Partial<Reader>);

interface Reader {
  /** Whose preferences count. */
  userId: string;
}
