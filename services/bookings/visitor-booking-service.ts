import { languages } from '../../core/languages.ts';
import type { Clock } from '../../core/clock.ts';
import { normalizeMailbox } from '../../core/contacts/mailbox.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { InFlight } from '../../core/concurrency/in-flight.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { lockName } from '../../database/advisory-lock.ts';
import { inTransaction } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import { isServed } from '../../entities/bots/bot.entity.ts';
import type { Contact } from '../../entities/contacts/contact.entity.ts';
import { mayUpdateContact, type Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { RateWindowRepository } from '../../repositories/requests/rate-window.repository.ts';
import {
  learnWithoutConsentCheck,
  hasRefusedConsent,
  type LearnContactDeps,
} from '../contacts/learn-contact.ts';
import { lockContact } from '../contacts/lock-contact.ts';
import type { VisitorScope } from '../contacts/visitor-scope.ts';
import { botOffError, requireSessionRow } from '../conversations/session-errors.ts';
import type { RecipientLimits } from '../mail/senders/recipient-limits.ts';
import type { FlowBookings } from '../flows/running/flow-bookings.ts';
import type { AddressBudget } from '../requests/address-budget.ts';
import type { BookingWriter, NewBooking } from './booking-writer.ts';
import { validateBooking, EMAILS_PER_BOOKING, toStoredTexts, type BookingInput } from './booking-service.ts';
import { SlotTaken, type FreeSlot, type CalendarSnapshot, type SlotService } from './slot-service.ts';

export interface VisitorBookingServiceDeps extends LearnContactDeps {
  bookings: BookingRepository;
  bots: BotRepository;
  conversations: ScopedRepository<Conversation>;
  rateWindows: RateWindowRepository;
  slots: SlotService;
  writer: BookingWriter;
  recipients: RecipientLimits;
  flows: FlowBookings;
  clock: Clock;
  settings: Pick<
    Settings,
    'bookingsPerHour' | 'bookingsPerDay' | 'bookingsPerAttendee' | 'bookingsPerAttendeeDay'
  >;
}

/** Properties of a visitor's HTTP request that a booking depends on. */
export interface VisitorRequest {
  /** Networks of the visitor's IP address, by which the number of bookings is limited. */
  budgets: readonly AddressBudget[];
  acceptLanguage: string | null;
}

/**
 * Result of preparing a visitor's booking. For the first of several visitors who want the slot, `release` is
 * set: the other visitors wait until it is called.
 */
export interface PreparedBooking extends CalendarSnapshot {
  release?: () => void;
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/**
 * Manages bookings made by visitors. Locks the conversation first, then its contact, then everything else,
 * which prevents deadlocks.
 */
export class VisitorBookingService {
  readonly #deps: VisitorBookingServiceDeps;
  readonly #inFlight = new InFlight();

  constructor(deps: VisitorBookingServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Checks that the calendar is free at the time of a booking, before the transaction of `create`. Returns
   * null if the visitor has already booked this start.
   * @throws AppError the errors of `create`; `not_ready` if the calendar cannot be read
   */
  async prepare(scope: VisitorScope, input: BookingInput): Promise<PreparedBooking | null> {
    validateBooking(input);
    try {
      const snapshot = await this.#deps.slots.checkSlot(scope, input.start, 'visitor');
      return await this.#waitForFirst(scope, input.start, snapshot);
    } catch (refusal) {
      // The slot may be taken by this visitor's own earlier request.
      if (refusal instanceof SlotTaken && !refusal.isHeldBy(scope.conversationId)) throw refusal;
      const ownBooking = await this.#deps.bookings.findByStart(scope, scope.conversationId, input.start);
      if (ownBooking) return null;
      throw refusal;
    }
  }

  /**
   * Waits while another visitor of this process books the same slot, without using a database connection. The
   * waiting visitors then mostly find the slot taken. Each waits only once, even if that booking fails.
   */
  async #waitForFirst(
    scope: VisitorScope,
    start: Date,
    snapshot: CalendarSnapshot,
  ): Promise<PreparedBooking> {
    const slot = `${scope.orgId} ${start.getTime()}`;
    const first = this.#inFlight.find(slot);
    if (!first) return { ...snapshot, release: this.#inFlight.begin(slot, scope.conversationId) };
    // This is a repeated request of the same visitor: continue, and the idempotency key then reports that the
    // first request is running.
    if (first.ownerId === scope.conversationId) return snapshot;
    await first.done;
    await this.#deps.slots.requireFreeSlot(scope, start, 'visitor', snapshot);
    return snapshot;
  }

  /**
   * Creates a booking, once for each visitor session and start time. Fills in missing details from the
   * visitor's contact, and adds new details to it.
   * @throws AppError `validation_error` for a start that is not offered, or a missing email address;
   *   `slot_taken`; `conflict` if consent was refused or bookings are paused; `rate_limited`
   */
  create(
    scope: VisitorScope,
    request: VisitorRequest,
    input: BookingInput,
    snapshot: CalendarSnapshot | null,
  ): Promise<Opened<Booking>> {
    return inTransaction(scope, async (tx) => {
      const { conversations, contacts, bots, writer, flows } = this.#deps;
      // Checks first whether another process has booked the slot: this takes only one statement.
      const free = snapshot && (await this.#findFree(tx, input.start, snapshot));
      const [stored, bot] = await Promise.all([
        requireSessionRow(conversations.lock(tx, scope.conversationId)),
        requireSessionRow(bots.get(tx, scope.botId)),
      ]);
      if (!isServed(bot)) throw botOffError();
      const conversation = await conversations.open(tx, stored);
      const mayUpdate = mayUpdateContact(conversation);
      const [isRefused, existingContact, isFromFlow] = await Promise.all([
        hasRefusedConsent(contacts, tx, stored),
        mayUpdate ? contacts.lockByVisitor(tx, conversation) : null,
        flows.isAwaiting(tx, stored),
      ]);
      if (isRefused)
        throw new AppError('conflict', 'The visitor has refused consent; no meeting can be booked.');
      const texts = fillFromContact(toStoredTexts(input), existingContact);
      const heldBooking =
        free &&
        (await this.#hold(tx, snapshot, {
          ...texts,
          ...free,
          source: isFromFlow ? 'flow' : 'widget',
          contactId: existingContact?.id ?? null,
          language: pickBookingLanguage(bot.language, request.acceptLanguage),
        }));
      if (!heldBooking) return this.#findOwnBooking(tx, input.start, texts.attendeeEmail);
      const learned = await this.#updateContact(tx, conversation, input);
      const contact =
        learned ??
        existingContact ??
        (mayUpdate ? (await lockContact(contacts, tx, conversation)).contact : null);
      const booking = await writer.begin(tx, heldBooking, { contactId: contact?.id ?? null });
      await this.#countBooking(tx, request.budgets, texts.attendeeEmail);
      if (isFromFlow) await flows.continueFlow(tx, scope.conversationId);
      return booking;
    });
  }

  /**
   * Returns the free slot; null if the same visitor session has already booked the slot.
   * @throws AppError `slot_taken`, `validation_error`
   */
  async #findFree(scope: VisitorScope, start: Date, snapshot: CalendarSnapshot): Promise<FreeSlot | null> {
    try {
      return await this.#deps.slots.requireFreeSlot(scope, start, 'visitor', snapshot);
    } catch (error) {
      if (error instanceof SlotTaken && error.isHeldBy(scope.conversationId)) return null;
      throw error;
    }
  }

  /**
   * Reserves the slot before slower steps, so that other visitors soon see it as taken. Returns null if it is
   * taken.
   * @throws AppError `rate_limited` if the attendee has too many upcoming meetings
   */
  async #hold(
    scope: VisitorScope,
    { connection }: CalendarSnapshot,
    row: Omit<NewBooking, 'id'> & { attendeeEmail: string },
  ): Promise<Opened<Booking> | null> {
    const { botId, conversationId } = scope;
    const id = newId();
    const [heldBooking, excess] = await Promise.all([
      this.#deps.writer.hold(scope, connection, { ...row, id, botId, conversationId }),
      this.#findExcess(scope, id, row.attendeeEmail),
    ]);
    if (heldBooking && excess) throw excess;
    return heldBooking;
  }

  /**
   * Returns the booking that this visitor session has made for the slot.
   * @throws AppError `slot_taken` if another session has booked the slot
   */
  async #findOwnBooking(scope: VisitorScope, start: Date, email: string): Promise<Opened<Booking>> {
    const { bookings } = this.#deps;
    const stored = await bookings.findByStart(scope, scope.conversationId, start);
    const ownBooking = stored && (await bookings.open(scope, stored));
    if (ownBooking?.attendeeEmail?.toLowerCase() === email.toLowerCase()) return ownBooking;
    throw new SlotTaken();
  }

  #updateContact(
    scope: VisitorScope,
    conversation: Opened<Conversation>,
    input: BookingInput,
  ): Promise<Opened<Contact> | null> {
    const { attendeeName: name, attendeeEmail: email } = toStoredTexts(input);
    const details = { ...(name !== null && { name }), ...(email !== null && { email }) };
    return learnWithoutConsentCheck(this.#deps, scope, conversation, { details, customFields: {} });
  }

  /** Returns a `rate_limited` error if the attendee has too many other upcoming meetings, and null if not. */
  async #findExcess(scope: VisitorScope, id: string, email: string): Promise<AppError | null> {
    const { bookings, clock, settings } = this.#deps;
    const maxUpcoming = settings.bookingsPerAttendee;
    if (maxUpcoming === 0) return null;
    const now = clock.now();
    // Sends both statements at once: the query runs once the lock is acquired, so it includes bookings of
    // earlier lock holders.
    const [, upcoming] = await Promise.all([
      lockName(scope.db, `bookings ${scope.orgId} ${email.toLowerCase()}`),
      bookings.listOtherUpcoming(scope, id, email, now),
    ]);
    const [next] = upcoming;
    if (!next || upcoming.length < maxUpcoming) return null;
    const seconds = Math.max(1, Math.ceil((next.startsAt.getTime() - now.getTime()) / 1000));
    return rateLimited(
      `This address has reached its limit of ${maxUpcoming} upcoming meetings; cancel one of them to book another`,
      seconds,
      'attendee_email',
    );
  }

  /**
   * Counts the booking against the limits of the attendee and the visitor's networks. Runs last: the counters
   * block other bookings from the same networks until the commit. All bookings lock their counters in the
   * same order, which prevents deadlocks.
   */
  async #countBooking(scope: VisitorScope, budgets: readonly AddressBudget[], email: string): Promise<void> {
    const { bookingsPerHour, bookingsPerDay, bookingsPerAttendeeDay } = this.#deps.settings;
    const attendee = digestSecret(`${scope.orgId} ${normalizeMailbox(email)}`);
    await this.#requireWithinLimit(scope, `bookings-for:${attendee}`, DAY_SECONDS, {
      limit: bookingsPerAttendeeDay,
      refusal: `This address has reached its limit of ${bookingsPerAttendeeDay} meetings booked per day, including canceled ones`,
      field: 'attendee_email',
    });
    for (const { address, multiple } of budgets) {
      const limit = multiple * bookingsPerHour;
      const refusal = `Your network address has reached its limit of ${limit} bookings per hour`;
      await this.#requireWithinLimit(scope, `bookings:${address}`, HOUR_SECONDS, { limit, refusal });
    }
    for (const { address, multiple } of budgets) {
      const limit = multiple * bookingsPerDay;
      const refusal = `Your network address has reached its limit of ${limit} bookings per day, including canceled ones`;
      await this.#requireWithinLimit(scope, `bookings-of-day:${address}`, DAY_SECONDS, { limit, refusal });
    }
    const mail = { to: email, by: 'visitor', count: EMAILS_PER_BOOKING, field: 'attendee_email' } as const;
    await this.#deps.recipients.spend(scope, mail);
  }

  async #requireWithinLimit(
    { db }: VisitorScope,
    key: string,
    seconds: number,
    { limit, refusal, field }: { limit: number; refusal: string; field?: string },
  ): Promise<void> {
    if (limit === 0) return;
    const { used, reset } = await this.#deps.rateWindows.spendWithin(db, key, seconds);
    if (used > limit) throw rateLimited(refusal, Math.max(1, reset), field);
  }
}

/**
 * Fills a booking's missing name and email address from the visitor's contact.
 * @throws AppError `validation_error` if no email address is known
 */
function fillFromContact(
  texts: ReturnType<typeof toStoredTexts>,
  known: Opened<Contact> | null,
): ReturnType<typeof toStoredTexts> & { attendeeEmail: string } {
  const attendeeEmail = texts.attendeeEmail ?? known?.email ?? null;
  if (attendeeEmail === null)
    throw invalidField('attendee_email', 'is required: the confirmation is sent to this address');
  return { ...texts, attendeeEmail, attendeeName: texts.attendeeName ?? known?.name ?? null };
}

/**
 * Returns the language of the bot for a booking. For a bot without a fixed language, returns the browser's
 * first supported language.
 */
function pickBookingLanguage(botLanguage: string, acceptLanguage: string | null): string | null {
  if (botLanguage !== 'auto') return botLanguage;
  const acceptedTags = (acceptLanguage ?? '')
    .split(',')
    .map((tag) => tag.trim().toLowerCase().split(/[-_;]/)[0]);
  return acceptedTags.find((tag) => languages.some((language) => language === tag)) ?? null;
}

/**
 * Creates the error for an exceeded limit of bookings.
 * @param field field of the request body to which the limit applies
 */
function rateLimited(refusal: string, seconds: number, field?: string): AppError {
  const message = `${refusal}; wait ${seconds} s.`;
  return new AppError('rate_limited', message, {
    headers: { 'Retry-After': String(seconds) },
    ...(field !== undefined && { details: [{ field, in: 'body', code: 'rate_limited', message: refusal }] }),
  });
}
