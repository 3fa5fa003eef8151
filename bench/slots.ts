import { createDataSource } from '../entities/data-source.ts';
import { newId } from '../core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/local-clock.ts';
import { Database } from '../database/database.ts';
import { CalendarBusy, CalendarConnection } from '../entities/bookings/calendar-connection.entity.ts';
import { percentile, rounded, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';

const DAYS = 31;
const INTERVALS = 2000;
const WARM_UP = 50;
const LISTS = 300;
const MOST_LIST_MS = 15;

const VISITORS = 50;
const FREE_SLOTS = 10;
const ROUNDS = 10;
const MOST_BOOKING_MS = 150;

interface BenchBot {
  id: string;
  public_key: string;
  org_id: string;
}

/** A month of slots beside a full calendar, and many visitors who want few slots at once. */
export async function benchSlots(): Promise<Figure[]> {
  const installation = await startInstallation({ PARLEY_BOOKINGS_PER_HOUR: '0' });
  try {
    const bot = await call<BenchBot>(installation, 'POST', '/api/bots', { name: 'Bench' });
    await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    const booking = await benchBooking(installation, bot);
    return [...(await benchList(installation, bot)), ...booking];
  } finally {
    await installation.stop();
  }
}

async function benchList(installation: Installation, bot: BenchBot): Promise<Figure[]> {
  await fillCalendar(installation, bot.org_id);
  const from = new Date();
  const to = new Date(from.getTime() + DAYS * DAY_MS);
  const path = `/api/public/bots/${bot.public_key}/slots?from=${from.toISOString()}&to=${to.toISOString()}&timezone=America/New_York`;
  const times: number[] = [];
  let count = 0;
  for (let round = 0; round < WARM_UP + LISTS; round += 1) {
    const startedAt = performance.now();
    const slots = await call<unknown[]>(installation, 'GET', path);
    if (round >= WARM_UP) times.push(performance.now() - startedAt);
    count = slots.length;
  }
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  return [
    {
      bench: 'slots',
      figure: `${DAYS} days of slots of 15 minutes beside ${INTERVALS} busy intervals, p95`,
      value: rounded(p95),
      unit: 'ms',
      target: `≤ ${MOST_LIST_MS}`,
      note: `p50 ${rounded(p50)} ms; ${count} slots are free; one caller`,
      ok: p95 <= MOST_LIST_MS && count > 0,
    },
  ];
}

/** As a provider's calendar was read a moment ago. */
async function fillCalendar({ databaseUrl }: Installation, orgId: string): Promise<void> {
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench').initialize();
  try {
    const db = new Database(dataSource);
    const connections = db.repository(CalendarConnection);
    const { id } = await connections.findOneByOrFail({ orgId });
    const settings = { slotMinutes: 15, timezone: 'Europe/Berlin', isWeekdaysOnly: false };
    await connections.update(id, { provider: 'google', primaryCalendarId: 'primary', settings });
    const start = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const every = Math.floor((DAYS * DAY_MS) / INTERVALS / MINUTE_MS);
    const busy = Array.from({ length: INTERVALS }, (_, index) => {
      const at = start / MINUTE_MS + index * every;
      return [at, at + 5];
    }).flat();
    const coversUntil = new Date(start + 100 * DAY_MS);
    const row = {
      connectionId: id,
      calendarId: 'primary',
      orgId,
      busy,
      coversFrom: new Date(start),
      coversUntil,
    };
    await db.repository(CalendarBusy).insert(row);
  } finally {
    await dataSource.destroy();
  }
}

async function benchBooking(installation: Installation, bot: BenchBot): Promise<Figure[]> {
  const hours = { business_open_hour: 8, business_close_hour: 18, slot_minutes: 60, weekdays_only: false };
  await call(installation, 'PATCH', '/api/calendar/settings', hours);
  const visitors = await Promise.all(
    Array.from({ length: VISITORS }, () =>
      call<{ session_id: string; visitor_token: string }>(
        installation,
        'POST',
        `/api/public/bots/${bot.public_key}/sessions`,
        {},
      ),
    ),
  );
  const times: number[] = [];
  const outcomes: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const opening =
      (Math.floor(Date.now() / DAY_MS) + 2 + round) * DAY_MS + hours.business_open_hour * HOUR_MS;
    const results = await Promise.all(
      visitors.map(async ({ session_id: id, visitor_token: token }, index) => {
        const startedAt = performance.now();
        const response = await fetch(`${installation.apiUrl}/api/public/sessions/${id}/bookings`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            start: new Date(opening + (index % FREE_SLOTS) * HOUR_MS).toISOString(),
            summary: 'Viewing',
            attendee_email: `${newId()}@example.com`,
          }),
        });
        await response.arrayBuffer();
        return { status: response.status, ms: performance.now() - startedAt };
      }),
    );
    // The first round makes connections, contacts and plans.
    if (round > 0) times.push(...results.map(({ ms }) => ms));
    outcomes.push(results.filter(({ status }) => status === 201).length);
    const others = results.filter(({ status }) => status !== 201 && status !== 409);
    if (others.length > 0) throw new Error(`A booking ended with ${others[0]!.status}.`);
  }
  const p95 = percentile(times, 0.95);
  return [
    {
      bench: 'slots',
      figure: `${VISITORS} visitors who want ${FREE_SLOTS} free slots at once, p95`,
      value: rounded(p95),
      unit: 'ms',
      target: `≤ ${MOST_BOOKING_MS}, ${FREE_SLOTS} booked each time`,
      note: `p50 ${rounded(percentile(times, 0.5))} ms; booked in ${ROUNDS + 1} rounds: ${outcomes.join(', ')}`,
      ok: p95 <= MOST_BOOKING_MS && outcomes.every((count) => count === FREE_SLOTS),
    },
  ];
}
