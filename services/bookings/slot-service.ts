import { isDeepStrictEqual } from 'node:util';
import {
  listFreeSlots,
  buildSlotGrid,
  listTakenTimes,
  type SlotRules,
  type Span,
  type StartRange,
} from '../../core/bookings/slots.ts';
import { pauseIfDue } from '../../core/concurrency/loop-slices.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import { DAY_MS, HOUR_MS, LocalClock, formatLocalTime, MINUTE_MS } from '../../core/local-clock.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Booking } from '../../entities/bookings/booking.entity.ts';
import type { CalendarConnection } from '../../entities/bookings/calendar-connection.entity.ts';
import type { BookingRepository } from '../../repositories/bookings/booking.repository.ts';
import type { CalendarConnectionRepository } from '../../repositories/bookings/calendar-connection.repository.ts';
import {
  pickBusyRules,
  proposeCalendar,
  toSlotRules,
  resolveCalendarSettings,
  type CalendarSettingsChanges,
} from './calendar-settings.ts';
import { BOOKINGS_UNAVAILABLE } from './bookings-unavailable.ts';
import { readCalendarIds } from './calendars/read-calendar-ids.ts';
import { parseTimeRange, type TimeRangeQuery } from './time-range.ts';

/** Person for whom bookable times are listed. Visitors get no slots that start within the next hour. */
export type Audience = 'team' | 'visitor';

export interface SlotRequest extends TimeRangeQuery {
  /** Time zone in which the response states the start times of slots. */
  timezone?: string | undefined;
}

export interface OfferedSlot {
  start: string;
  end: string;
  localStart: string;
}

/** Reads the busy times of calendars, as starts and ends in minutes since 1970. */
export interface BusyTimesReader {
  /**
   * Returns stored busy times of the calendars if they are recent enough.
   * @throws AppError `not_ready` if no busy times are available; `conflict` if the calendar must be
   *   reconnected
   */
  getCached(
    scope: OrgScope,
    connection: CalendarConnection,
    range: { start: Date; end: Date },
  ): Promise<number[]>;
  /**
   * Reads the calendars' busy times from their provider.
   * @throws AppError `not_ready` if no busy times are available; `conflict` if the calendar must be
   *   reconnected
   */
  getLive(
    scope: OrgScope,
    connection: CalendarConnection,
    range: { start: Date; end: Date },
  ): Promise<number[]>;
}

export interface SlotServiceDeps {
  connections: CalendarConnectionRepository;
  bookings: BookingRepository;
  busyTimes: BusyTimesReader;
  /**
   * Function that checks that the calendars named in the changed settings exist.
   * @throws AppError `validation_error`; `not_ready` or `conflict` if the provider is unavailable
   */
  checkCalendars: (scope: OrgScope, changes: CalendarSettingsChanges) => Promise<void>;
  clock: Clock;
  settings: Pick<Settings, 'bookingHorizonDays'>;
}

/**
 * Time that a booking takes, and the conversation in which it was made. `conversationId` is null for the
 * team's bookings.
 */
interface HeldSpan extends Span {
  conversationId: string | null;
}

/** Error for a slot that is taken by a booking or by an event in the calendar. */
export class SlotTaken extends AppError {
  readonly #spans: readonly HeldSpan[];

  constructor(held: readonly HeldSpan[] = []) {
    super('slot_taken', 'The slot is no longer free; choose another one.');
    this.#spans = held;
  }

  /** Returns true if this conversation made one of the bookings that take the slot. */
  isHeldBy(conversationId: string): boolean {
    return this.#spans.some((span) => span.conversationId === conversationId);
  }
}

/** Calendar connection and busy times, read before the transaction that creates a booking. */
export interface CalendarSnapshot {
  connection: CalendarConnection;
  busy: number[];
}

export type FreeSlot = Pick<Booking, 'startsAt' | 'endsAt' | 'blockedUntil'>;

const DEFAULT_DAYS = 7;
/**
 * Minimum time in milliseconds before a meeting at which visitors can book it, so that the team sees the
 * booking in time.
 */
const NOTICE_MS = HOUR_MS;
const MAX_DAYS = 31;
/**
 * Maximum number of free slots in one response to a visitor, since visitors need no credentials. Five-minute
 * meetings around the clock fill more than three days.
 */
const MAX_VISITOR_SLOTS = 1000;

/** Computes the free slots that can be booked, and checks bookings by the same rules. */
export class SlotService {
  readonly #deps: SlotServiceDeps;

  constructor(deps: SlotServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the free slots of the workspace in a time range.
   * @throws AppError `validation_error` for an empty or too long range, or an unknown time zone; `conflict`
   *   if the calendar takes no bookings; `not_ready` if the calendar's busy times are unavailable
   */
  async list(scope: OrgScope, request: SlotRequest, audience: Audience): Promise<OfferedSlot[]> {
    const range = this.#validateRange(request);
    return this.#listFree(scope, await this.getUsableCalendar(scope), 'getCached', {
      ...request,
      range,
      audience,
    });
  }

  /**
   * Returns the slots that unsaved booking settings would offer the team, even if bookings are paused or no
   * calendar is connected.
   * @throws AppError `validation_error`, `conflict`, `not_ready`
   */
  async preview(
    scope: OrgScope,
    request: SlotRequest,
    changes: CalendarSettingsChanges,
  ): Promise<OfferedSlot[]> {
    const range = this.#validateRange(request);
    const current = await this.#deps.connections.findCurrent(scope);
    const proposed = proposeCalendar(current, changes);
    requireCalendarAccess(proposed);
    // Busy times for other calendar settings are not stored: read them from the provider.
    const hasSameCalendars =
      current === null || haveSameItems(readCalendarIds(current), readCalendarIds(proposed));
    if (!hasSameCalendars) await this.#deps.checkCalendars(scope, changes);
    const isStored =
      hasSameCalendars &&
      (current === null || isDeepStrictEqual(pickBusyRules(current), pickBusyRules(proposed)));
    const offer = { ...request, range, audience: 'team' } as const;
    return this.#listFree(scope, proposed, isStored ? 'getCached' : 'getLive', offer);
  }

  #validateRange({ timezone, ...request }: SlotRequest): StartRange {
    const range = parseTimeRange(request, this.#deps.clock.now(), {
      defaultDays: DEFAULT_DAYS,
      maxDays: MAX_DAYS,
    });
    if (timezone !== undefined) requireTimeZone(timezone, 'timezone', 'query');
    return range;
  }

  async #listFree(
    scope: OrgScope,
    connection: CalendarConnection,
    read: keyof BusyTimesReader,
    { range, audience, timezone }: Pick<SlotRequest, 'timezone'> & { range: StartRange; audience: Audience },
  ): Promise<OfferedSlot[]> {
    const rules = toSlotRules(connection);
    const grid = buildSlotGrid(rules, this.#limitToBookable(range, audience));
    const [first, last] = [grid[0], grid.at(-1)];
    if (!first || !last) return [];
    const span = withBuffers({ start: first.start, end: last.end }, rules);
    const [heldTimes, busy] = await Promise.all([
      this.#listHeld(scope, span),
      this.#deps.busyTimes[read](scope, connection, toDates(span)),
    ]);
    const free = listFreeSlots(grid, rules, listTakenTimes(heldTimes, busy, rules));
    const maxSlots = audience === 'visitor' ? MAX_VISITOR_SLOTS : free.length;
    return toOfferedSlots(free.slice(0, maxSlots), timezone ?? rules.timezone);
  }

  /**
   * Returns the workspace's calendar connection, which must accept bookings.
   * @throws AppError `conflict` if the workspace has no calendar, or it is paused
   */
  async getUsableCalendar(scope: OrgScope): Promise<CalendarConnection> {
    return requireUsableCalendar(await this.#deps.connections.findCurrent(scope));
  }

  /**
   * Checks that no booking and no event in the calendar takes the slot at this moment.
   * @throws AppError `validation_error` for a start that is not offered; `slot_taken`; `conflict`,
   *   `not_ready`
   */
  async checkSlot(scope: OrgScope, start: Date, audience: Audience): Promise<CalendarSnapshot> {
    const connection = await this.getUsableCalendar(scope);
    const rules = toSlotRules(connection);
    const slot = this.#findOfferedSlot(rules, start, audience);
    const span = withBuffers(slot, rules);
    // Does not call the calendar provider if a booking already takes the slot.
    const heldSpans = await this.#listHeld(scope, span);
    if (!isFree(slot, rules, heldSpans, [])) throw new SlotTaken(heldSpans);
    const busy = await this.#deps.busyTimes.getLive(scope, connection, toDates(span));
    if (!isFree(slot, rules, heldSpans, busy)) throw new SlotTaken(heldSpans);
    return { connection, busy };
  }

  /**
   * Returns the slot if no booking takes it. Within a transaction, also locks the calendar settings, and
   * rejects settings that have changed since the snapshot.
   * @throws AppError `validation_error` for a start that is not offered; `slot_taken`; `conflict` if the
   *   calendar is paused or its settings have changed
   */
  async requireFreeSlot(
    scope: OrgScope,
    start: Date,
    audience: Audience,
    { connection, busy }: CalendarSnapshot,
  ): Promise<FreeSlot> {
    const rules = toSlotRules(connection);
    const slot = this.#findOfferedSlot(rules, start, audience);
    const heldSpans = await this.#listHeld(scope, withBuffers(slot, rules));
    if (!isFree(slot, rules, heldSpans, busy)) throw new SlotTaken(heldSpans);
    if (scope.db.isTransaction) await this.#requireSameSettings(scope, audience, { connection, slot });
    const blockedUntil = new Date(slot.end + rules.bufferMinutes * MINUTE_MS);
    return { startsAt: new Date(slot.start), endsAt: new Date(slot.end), blockedUntil };
  }

  /**
   * Locks the calendar settings until the transaction ends, and rejects settings that have changed since the
   * snapshot.
   * @throws AppError `conflict` if the settings have changed
   */
  async #requireSameSettings(
    scope: OrgScope,
    audience: Audience,
    { connection, slot }: { connection: CalendarConnection; slot: Span },
  ): Promise<void> {
    const current = requireUsableCalendar(await this.#deps.connections.findCurrentShared(scope));
    const [rules, before] = [toSlotRules(current), toSlotRules(connection)];
    const { end } = this.#findOfferedSlot(rules, new Date(slot.start), audience);
    const isSame = end === slot.end && rules.bufferMinutes === before.bufferMinutes;
    if (isSame && isDeepStrictEqual(pickComparedSettings(current), pickComparedSettings(connection))) return;
    throw new AppError('conflict', 'The calendar’s settings have just changed; list the slots again.', {
      forVisitors: 'The free times have changed; list them again.',
    });
  }

  #findOfferedSlot(rules: SlotRules, start: Date, audience: Audience): Span {
    const at = start.getTime();
    const [slot] = buildSlotGrid(rules, this.#limitToBookable({ start: at, end: at + 1 }, audience));
    if (slot?.start === at) return slot;
    throw invalidField('start', 'must be the start of an offered slot');
  }

  /** Limits the requested range to the times at which the visitor or the team can book. */
  #limitToBookable({ start, end }: StartRange, audience: Audience): StartRange {
    const { clock, settings } = this.#deps;
    const now = clock.now().getTime();
    const notice = audience === 'visitor' ? NOTICE_MS : 0;
    return {
      start: Math.max(start, now + notice),
      end: Math.min(end, now + settings.bookingHorizonDays * DAY_MS + 1),
    };
  }

  async #listHeld(scope: OrgScope, span: Span): Promise<HeldSpan[]> {
    const { start: from, end: to } = toDates(span);
    const blocked = await this.#deps.bookings.listBlocked(scope, { from, to });
    return blocked.map(({ startsAt, blockedUntil, conversationId }) => ({
      start: startsAt.getTime(),
      end: blockedUntil.getTime(),
      conversationId,
    }));
  }
}

/** @throws AppError `conflict` if no calendar is connected, or bookings are paused */
function requireUsableCalendar(connection: CalendarConnection | null): CalendarConnection {
  if (!connection)
    throw new AppError(
      'conflict',
      'The workspace has no calendar. Connect a calendar, or save the calendar settings to accept bookings without one.',
      { forVisitors: BOOKINGS_UNAVAILABLE },
    );
  if (!resolveCalendarSettings(connection).isActive)
    throw new AppError('conflict', 'Bookings are paused: set is_active in the calendar’s settings.', {
      forVisitors: BOOKINGS_UNAVAILABLE,
    });
  requireCalendarAccess(connection);
  return connection;
}

/** Picks the calendar settings that must not change between the check of the calendar and the booking. */
function pickComparedSettings(connection: CalendarConnection) {
  const { timezone, bookingCalendarId, calendarIds } = resolveCalendarSettings(connection);
  const { id, provider } = connection;
  const reading = pickBusyRules(connection);
  return { id, provider, timezone, bookingCalendarId, calendarIds: calendarIds.toSorted(), reading };
}

/** @throws AppError `conflict` if the provider has revoked the access to the calendar */
function requireCalendarAccess({ health }: CalendarConnection): void {
  if (health === 'reconnect_needed')
    throw new AppError('conflict', 'Connect the calendar again before you book meetings.', {
      forVisitors: BOOKINGS_UNAVAILABLE,
    });
}

function haveSameItems(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join('\n') === others.toSorted().join('\n');
}

function isFree(slot: Span, rules: SlotRules, held: readonly Span[], busy: readonly number[]): boolean {
  return listFreeSlots([slot], rules, listTakenTimes(held, busy, rules)).length > 0;
}

/** Extends a meeting's time by the configured buffer before and after. */
function withBuffers({ start, end }: Span, { bufferMinutes }: SlotRules): Span {
  const buffer = bufferMinutes * MINUTE_MS;
  return { start: start - buffer, end: end + buffer };
}

function toDates({ start, end }: Span): { start: Date; end: Date } {
  return { start: new Date(start), end: new Date(end) };
}

/** Formats slots for the API's response. Yields to the event loop, since a month may have 9,000 slots. */
async function toOfferedSlots(slots: readonly Span[], timezone: string): Promise<OfferedSlot[]> {
  const [first, last] = [slots[0], slots.at(-1)];
  if (!first || !last) return [];
  const offsets = new LocalClock(timezone).listOffsets(first.start, last.start + HOUR_MS);
  const shownSlots: OfferedSlot[] = [];
  let next = 1;
  for (const { start, end } of slots) {
    while (next < offsets.length && offsets[next]!.since <= start) next += 1;
    shownSlots.push({
      start: new Date(start).toISOString(),
      end: new Date(end).toISOString(),
      localStart: formatLocalTime(start, offsets[next - 1]!.offset),
    });
    await pauseIfDue();
  }
  return shownSlots;
}
