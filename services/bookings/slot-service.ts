import { isDeepStrictEqual } from 'node:util';
import {
  freeOf,
  gridOf,
  takenOf,
  type SlotRules,
  type Span,
  type StartRange,
} from '../../core/bookings/slots.ts';
import { LoopSlices } from '../../core/concurrency/loop-slices.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import { DAY_MS, HOUR_MS, LocalClock, localText, MINUTE_MS } from '../../core/local-clock.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import { proposedOf, rulesOf, settingsOf, type CalendarSettingsChanges } from './calendar-settings.ts';
import { NO_BOOKINGS_NOW } from './no-bookings-now.ts';
import { readCalendarIds } from './calendars/read-calendar-ids.ts';
import { rangeOf, type AskedRange } from './time-range.ts';

/** Visitors are offered nothing at short notice. */
export type Audience = 'team' | 'visitor';

export interface AskedSlots extends AskedRange {
  /** What starts are told in. */
  timezone?: string | undefined;
}

export interface ShownSlot {
  start: string;
  end: string;
  localStart: string;
}

/** When calendars are busy, as minutes since 1970 in pairs. */
export interface BusyTimesReader {
  /** @throws AppError `not_ready`, `conflict` */
  cached(
    scope: OrgScope,
    connection: CalendarConnection,
    range: { start: Date; end: Date },
  ): Promise<number[]>;
  /** The same, as it is at this moment. @throws AppError `not_ready`, `conflict` */
  live(scope: OrgScope, connection: CalendarConnection, range: { start: Date; end: Date }): Promise<number[]>;
}

export interface SlotServiceDeps {
  connections: CalendarConnectionRepository;
  bookings: BookingRepository;
  busyTimes: BusyTimesReader;
  /** Looks up the calendars that settings name. @throws AppError `validation_error`, `not_ready`, `conflict` */
  checkCalendars: (scope: OrgScope, changes: CalendarSettingsChanges) => Promise<void>;
  clock: Clock;
  settings: Pick<Settings, 'bookingHorizonDays'>;
}

/** A time that a booking takes, and the conversation that it was booked in. */
interface HeldSpan extends Span {
  conversationId: string | null;
}

/** Somebody has the slot, or the calendar has something at its time. */
export class SlotTaken extends AppError {
  readonly #held: readonly HeldSpan[];

  constructor(held: readonly HeldSpan[] = []) {
    super('slot_taken', 'The slot is not free any more; choose another one.');
    this.#held = held;
  }

  /** Whether one of the bookings that are at its time was made in the conversation. */
  isOf(conversationId: string): boolean {
    return this.#held.some((span) => span.conversationId === conversationId);
  }
}

/** What `prepare` has seen of the calendar. */
export interface SeenCalendar {
  connection: CalendarConnection;
  busy: number[];
}

export type FreeSlot = Pick<Booking, 'startsAt' | 'endsAt' | 'blockedUntil'>;

const USUAL_DAYS = 7;
/** Visitors are offered slots that begin an hour from now, so that the team sees a booking before it begins. */
const NOTICE_MS = HOUR_MS;
const MOST_DAYS = 31;
/** Of one answer to a visitor, who needs no credentials: more than three days of meetings of five minutes, around the clock. */
const MAX_VISITOR_SLOTS = 1000;

/** Times at which meetings may be: what is offered is what is accepted. */
export class SlotService {
  readonly #deps: SlotServiceDeps;

  constructor(deps: SlotServiceDeps) {
    this.#deps = deps;
  }

  /**
   * @throws AppError `validation_error` for a range that is empty or too long, and an unknown time zone; `conflict` where the
   *   calendar takes no bookings; `not_ready` where nobody knows when it is busy
   */
  async list(scope: OrgScope, asked: AskedSlots, audience: Audience): Promise<ShownSlot[]> {
    const range = this.#checked(asked);
    return this.#free(scope, await this.usable(scope), 'cached', { ...asked, range, audience });
  }

  /**
   * What the team would be offered by settings that are not saved, also where bookings are paused or there is no calendar yet.
   * @throws AppError as `list`
   */
  async preview(scope: OrgScope, asked: AskedSlots, changes: CalendarSettingsChanges): Promise<ShownSlot[]> {
    const range = this.#checked(asked);
    const present = await this.#deps.connections.findPresent(scope);
    const proposed = proposedOf(present, changes);
    requireAccepted(proposed);
    // Of the calendars that are not read so far, nothing is kept.
    const isKept = present === null || areSame(readCalendarIds(present), readCalendarIds(proposed));
    if (!isKept) await this.#deps.checkCalendars(scope, changes);
    const offer = { ...asked, range, audience: 'team' } as const;
    return this.#free(scope, proposed, isKept ? 'cached' : 'live', offer);
  }

  #checked({ timezone, ...asked }: AskedSlots): StartRange {
    const range = rangeOf(asked, this.#deps.clock.now(), { usualDays: USUAL_DAYS, mostDays: MOST_DAYS });
    if (timezone !== undefined) requireTimeZone(timezone, 'timezone', 'query');
    return range;
  }

  async #free(
    scope: OrgScope,
    connection: CalendarConnection,
    read: keyof BusyTimesReader,
    { range, audience, timezone }: Pick<AskedSlots, 'timezone'> & { range: StartRange; audience: Audience },
  ): Promise<ShownSlot[]> {
    const rules = rulesOf(connection);
    const grid = gridOf(rules, this.#offered(range, audience));
    const [first, last] = [grid[0], grid.at(-1)];
    if (!first || !last) return [];
    const span = around({ start: first.start, end: last.end }, rules);
    const [held, busy] = await Promise.all([
      this.#held(scope, span),
      this.#deps.busyTimes[read](scope, connection, datesOf(span)),
    ]);
    const free = freeOf(grid, rules, takenOf(held, busy, rules));
    const most = audience === 'visitor' ? MAX_VISITOR_SLOTS : free.length;
    return shown(free.slice(0, most), timezone ?? rules.timezone);
  }

  /** The calendar that bookings are taken for. @throws AppError `conflict` where there is none, and where it takes none */
  async usable(scope: OrgScope): Promise<CalendarConnection> {
    return requireUsable(await this.#deps.connections.findPresent(scope));
  }

  /**
   * Whether the slot is free, by our bookings and by what the calendar says at this moment. For `prepare`.
   * @throws AppError `validation_error` for a start that is not offered; `slot_taken`; `conflict`, `not_ready`, as `list`
   */
  async look(scope: OrgScope, start: Date, audience: Audience): Promise<SeenCalendar> {
    const connection = await this.usable(scope);
    const rules = rulesOf(connection);
    const slot = this.#requireOnGrid(rules, start, audience);
    const span = around(slot, rules);
    // Nobody has to be asked about what is taken.
    const held = await this.#held(scope, span);
    if (!isFree(slot, rules, held, [])) throw new SlotTaken(held);
    const busy = await this.#deps.busyTimes.live(scope, connection, datesOf(span));
    if (!isFree(slot, rules, held, busy)) throw new SlotTaken(held);
    return { connection, busy };
  }

  /**
   * The slot that begins then, by our bookings as they are now; within a transaction also by the settings that there are when
   * it commits.
   * @throws AppError `validation_error` for a start that is not offered; `slot_taken`; `conflict` where the calendar takes no
   *   bookings any more, or others than it did when it was looked at
   */
  async getFree(
    scope: OrgScope,
    start: Date,
    audience: Audience,
    { connection, busy }: SeenCalendar,
  ): Promise<FreeSlot> {
    const rules = rulesOf(connection);
    const slot = this.#requireOnGrid(rules, start, audience);
    const held = await this.#held(scope, around(slot, rules));
    if (!isFree(slot, rules, held, busy)) throw new SlotTaken(held);
    if (scope.db.isTransaction) await this.#requireUnchanged(scope, audience, { connection, slot });
    const blockedUntil = new Date(slot.end + rules.bufferMinutes * MINUTE_MS);
    return { startsAt: new Date(slot.start), endsAt: new Date(slot.end), blockedUntil };
  }

  /** Whoever changes the settings waits from then on until the transaction ends. */
  async #requireUnchanged(
    scope: OrgScope,
    audience: Audience,
    { connection, slot }: { connection: CalendarConnection; slot: Span },
  ): Promise<void> {
    const present = requireUsable(await this.#deps.connections.findPresentHeld(scope));
    const [rules, seen] = [rulesOf(present), rulesOf(connection)];
    const { end } = this.#requireOnGrid(rules, new Date(slot.start), audience);
    const isSame = end === slot.end && rules.bufferMinutes === seen.bufferMinutes;
    if (isSame && isDeepStrictEqual(placeOf(present), placeOf(connection))) return;
    throw new AppError(
      'conflict',
      'The calendar’s settings were changed at this moment: look at its slots again.',
      { forVisitors: 'The times have changed: look at the free ones again.' },
    );
  }

  #requireOnGrid(rules: SlotRules, start: Date, audience: Audience): Span {
    const at = start.getTime();
    const [slot] = gridOf(rules, this.#offered({ start: at, end: at + 1 }, audience));
    if (slot?.start === at) return slot;
    throw invalidField('start', 'must be the start of a slot that is offered');
  }

  /** The part of the range that anything is offered in. */
  #offered({ start, end }: StartRange, audience: Audience): StartRange {
    const { clock, settings } = this.#deps;
    const now = clock.now().getTime();
    const notice = audience === 'visitor' ? NOTICE_MS : 0;
    return {
      start: Math.max(start, now + notice),
      end: Math.min(end, now + settings.bookingHorizonDays * DAY_MS + 1),
    };
  }

  async #held(scope: OrgScope, span: Span): Promise<HeldSpan[]> {
    const { start: from, end: to } = datesOf(span);
    const blocked = await this.#deps.bookings.listBlocked(scope, { from, to });
    return blocked.map(({ startsAt, blockedUntil, conversationId }) => ({
      start: startsAt.getTime(),
      end: blockedUntil.getTime(),
      conversationId,
    }));
  }
}

/** @throws AppError `conflict` where there is none, and where it takes no bookings */
function requireUsable(connection: CalendarConnection | null): CalendarConnection {
  if (!connection)
    throw new AppError(
      'conflict',
      'The workspace has no calendar: connect one, or save the calendar’s settings to take bookings without one.',
      { forVisitors: NO_BOOKINGS_NOW },
    );
  if (!settingsOf(connection).isActive)
    throw new AppError('conflict', 'Bookings are paused: set is_active in the calendar’s settings.', {
      forVisitors: NO_BOOKINGS_NOW,
    });
  requireAccepted(connection);
  return connection;
}

/** Where a booking goes, and what was read to judge it. */
function placeOf(connection: CalendarConnection) {
  const { timezone, bookingCalendarId, calendarIds } = settingsOf(connection);
  const { id, provider } = connection;
  return { id, provider, timezone, bookingCalendarId, calendarIds: calendarIds.toSorted() };
}

/** @throws AppError `conflict` where its provider takes us no more */
function requireAccepted({ health }: CalendarConnection): void {
  if (health === 'reconnect_needed')
    throw new AppError('conflict', 'The calendar has to be connected again before anything can be booked.', {
      forVisitors: NO_BOOKINGS_NOW,
    });
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n');
}

function isFree(slot: Span, rules: SlotRules, held: readonly Span[], busy: readonly number[]): boolean {
  return freeOf([slot], rules, takenOf(held, busy, rules)).length > 0;
}

/** With the buffers before and after it. */
function around({ start, end }: Span, { bufferMinutes }: SlotRules): Span {
  const buffer = bufferMinutes * MINUTE_MS;
  return { start: start - buffer, end: end + buffer };
}

function datesOf({ start, end }: Span): { start: Date; end: Date } {
  return { start: new Date(start), end: new Date(end) };
}

/** Yields to the event loop meanwhile: a month may have 9,000. */
async function shown(slots: readonly Span[], timezone: string): Promise<ShownSlot[]> {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return [];
  const offsets = new LocalClock(timezone).offsetsWithin(first.start, last.start + HOUR_MS);
  const slices = new LoopSlices();
  const shownSlots: ShownSlot[] = [];
  let next = 1;
  for (const { start, end } of slots) {
    while (next < offsets.length && offsets[next]!.since <= start) next += 1;
    shownSlots.push({
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      localStart: localText(start, offsets[next - 1]!.offset),
    });
    await slices.pauseIfDue();
  }
  return shownSlots;
}
