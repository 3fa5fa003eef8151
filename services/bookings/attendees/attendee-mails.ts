import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { CalendarAttachment } from '../../../adapters/mail/mail-transport.ts';
import { renderMeetingIcs } from '../../../core/bookings/meeting-ics.ts';
import { formatMeetingDay, formatMeetingTime } from '../../../core/bookings/meeting-time.ts';
import type { Clock } from '../../../core/clock.ts';
import { formatLabeled } from '../../../core/languages.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { Booking } from '../../../entities/bookings/booking.entity.ts';
import { emailWorkflowId } from '../../../core/workflows/commands.ts';
import type {
  FollowedBookingRepository,
  QueuedMail,
  TimedBooking,
} from '../../../repositories/bookings/followed-booking.repository.ts';
import type { MailService } from '../../mail/mail-service.ts';
import type { RecipientLimits } from '../../mail/senders/recipient-limits.ts';
import { composeSubject } from '../../mail/rendering/render-mail.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { buildMeetingUrl } from '../meeting-links.ts';
import type { AttendeeFacts, AttendeeFactsReader } from './attendee-facts.ts';
import { toAttendeeMailKey, parseAttendeeMailKey, type AttendeeMailKind } from './attendee-mail-kinds.ts';
import { attendeeWords, explainAttendeeMail } from './attendee-words.ts';

export interface AttendeeMailsDeps {
  rows: FollowedBookingRepository;
  facts: AttendeeFactsReader;
  mail: MailService;
  outbox: OutboxService;
  recipients: Pick<RecipientLimits, 'trySpend'>;
  keyring: Keyring;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl' | 'mailFrom'>;
}

export interface AttendeeMailProgress {
  /** True while an email about an earlier state of the booking waits to be sent. New emails wait for it. */
  isSettling: boolean;
  /** Milliseconds until the next email to the attendee may be sent; infinite if no email is due. */
  waitMs: number;
}

const SETTLED: AttendeeMailProgress = { isSettling: false, waitMs: Infinity };

/** Milliseconds before the start of a meeting at which its attendee is reminded. */
export const REMINDER_MS = 24 * 60 * 60_000;

/**
 * Informs attendees by email when their booking is made, moved, canceled or about to start, with one email
 * for each state.
 */
export class AttendeeMails {
  readonly #deps: AttendeeMailsDeps;

  constructor(deps: AttendeeMailsDeps) {
    this.#deps = deps;
  }

  /**
   * Queues the email to the attendee that is due. First waits until pending emails about earlier states are
   * sent or withdrawn: the attendee of an unsent invitation needs no cancellation.
   * @param tx transaction that has locked the booking
   */
  async queueDueMail(tx: OrgScope, timed: TimedBooking): Promise<AttendeeMailProgress> {
    const { booking: stored, startsInMs } = timed;
    if (stored.attendeeEmail === null || startsInMs <= 0) return SETTLED;
    const mails = await this.#deps.rows.listMails(tx, stored.id);
    const outdated = mails.filter((mail) => mail.state === 'pending' && !isCurrent(stored, mail));
    for (const mail of outdated) await this.#wakeMail(tx, mail);
    if (outdated.length > 0) return { isSettling: true, waitMs: Infinity };
    const kind = findDueKind(timed);
    if (kind === null) return SETTLED;
    const booking = await this.#deps.rows.open(tx, stored);
    const waitSeconds = await this.#countMail(tx, booking, kind);
    if (waitSeconds > 0) return { isSettling: false, waitMs: waitSeconds * 1000 };
    await this.#queue(tx, booking, await this.#deps.facts.read(tx, stored), kind);
    return SETTLED;
  }

  /**
   * Counts an email to the attendee against the recipient's limits. Returns the seconds to wait if a limit is
   * reached, and 0 if not. Confirmations and cancellations are counted when the booking is made.
   */
  async #countMail(tx: OrgScope, booking: Opened<Booking>, kind: AttendeeMailKind): Promise<number> {
    const { attendeeEmail: to, bookedBy: accountId } = booking;
    if (to === null || kind === 'confirmed' || kind === 'cancelled') return 0;
    const by = accountId === null ? null : { accountId };
    return this.#deps.recipients.trySpend(tx, { to, by, count: 1 });
  }

  /** Returns the meeting as a calendar file that the attendee can download. Emails attach the same file. */
  async composeCalendarFile(scope: OrgScope, stored: Booking): Promise<string> {
    const booking = await this.#deps.rows.open(scope, stored);
    return this.#composeFile(booking, await this.#deps.facts.read(scope, stored), null);
  }

  async #queue(
    tx: OrgScope,
    booking: Opened<Booking>,
    facts: AttendeeFacts,
    kind: AttendeeMailKind,
  ): Promise<void> {
    const { rows, mail } = this.#deps;
    const { id: bookingId, sequence, attendeeEmail, orgId } = booking;
    const method = kind === 'cancelled' ? 'CANCEL' : 'REQUEST';
    const data = { ...composeMailData(booking, facts, kind), link: this.#buildLink(booking) };
    await mail.send(tx.db, {
      to: attendeeEmail ?? '',
      orgId,
      template: `booking_${kind}`,
      data,
      calendar: { method, content: this.#composeFile(booking, facts, method) },
      key: toAttendeeMailKey({ bookingId, sequence, kind }),
    });
    if (kind === 'reminder') await rows.update(tx, bookingId, { remindedSequence: sequence });
  }

  /**
   * Signals the workflow of an email about an earlier state of the booking, which then withdraws the email.
   */
  async #wakeMail(tx: OrgScope, { id: mailId, template }: QueuedMail): Promise<void> {
    await this.#deps.outbox.command(tx, {
      workflow: 'sendEmail',
      action: 'signal',
      signal: 'retryNow',
      signalArgs: [],
      workflowId: emailWorkflowId(mailId),
      args: [{ mailId, template, orgId: tx.orgId }],
      summary: `Send the email ${template}`,
    });
  }

  #composeFile(
    booking: Opened<Booking>,
    facts: AttendeeFacts,
    method: CalendarAttachment['method'] | null,
  ): string {
    const { mailFrom } = this.#deps.settings;
    const url = this.#buildLink(booking);
    const { attendeeEmail: email, sequence, startsAt: start, endsAt: end } = booking;
    const manage = formatLabeled(facts.language, attendeeWords[facts.language].goOn, url);
    return renderMeetingIcs({
      method,
      uid: booking.id,
      sequence,
      isCancelled: booking.status === 'cancelled',
      start,
      end,
      stampedAt: this.#deps.clock.now(),
      summary: facts.summary,
      description: facts.description === '' ? manage : `${facts.description}\n\n${manage}`,
      url,
      organizer: describeOrganizer(mailFrom, facts.withWhom),
      attendee: email === null ? null : { name: facts.attendeeName, email },
    });
  }

  #buildLink({ id }: Pick<Booking, 'id'>): string {
    const { keyring, settings } = this.#deps;
    return buildMeetingUrl({ keyring, baseUrl: settings.baseUrl }, id);
  }
}

/** Returns true if a queued email is about the current state of the booking. */
function isCurrent({ status, sequence }: Booking, { key }: QueuedMail): boolean {
  const mailKey = parseAttendeeMailKey(key);
  if (mailKey === null) return true;
  return (mailKey.kind === 'cancelled') === (status === 'cancelled') && mailKey.sequence === sequence;
}

/** Returns the kind of email that the attendee must get next; null if none is due. */
function findDueKind({ booking, startsInMs }: TimedBooking): AttendeeMailKind | null {
  const { status, cancelledBy, sequence, invitedSequence, invitedAt, remindedSequence, startsAt } = booking;
  if (status === 'cancelled')
    return invitedSequence === null || cancelledBy === 'erasure' ? null : 'cancelled';
  if (invitedSequence === null) return 'confirmed';
  if (invitedSequence < sequence) return 'moved';
  if (remindedSequence === sequence || startsInMs > REMINDER_MS || invitedAt === null) return null;
  return startsAt.getTime() - invitedAt.getTime() > REMINDER_MS ? 'reminder' : null;
}

function composeMailData(booking: Opened<Booking>, facts: AttendeeFacts, kind: AttendeeMailKind) {
  const { language, withWhom, timeZone, summary, description } = facts;
  const words = attendeeWords[language];
  const { startsAt: start, endsAt: end } = booking;
  return {
    language,
    botName: withWhom,
    subject: composeSubject(words.subjects[kind], formatMeetingDay({ start, timeZone }, language)),
    greeting: words.greeting,
    intro: words.intros[kind],
    details: [
      formatLabeled(language, words.when, formatMeetingTime({ start, end, timeZone }, language)),
      formatLabeled(language, words.about, summary),
    ],
    ownWords: description.split(/\r?\n/),
    goOn: words.goOn,
    note: [facts.notice, words.note].filter(Boolean).join(' '),
    why: explainAttendeeMail(words, withWhom, kind),
  };
}

/**
 * Returns the organizer of a meeting for its calendar file: the installation's sender address, with a name
 * that the attendee knows.
 */
function describeOrganizer(mailFrom: string, name: string): { name: string; email: string } {
  const [, address] = /<([^<>]+)>\s*$/.exec(mailFrom) ?? [];
  return { name, email: (address ?? mailFrom).trim() };
}
