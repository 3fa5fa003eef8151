import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createDataSource } from '../entities/data-source.ts';
import { newId } from '../core/ids.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/local-clock.ts';
import { Database } from '../database/database.ts';
import { CalendarBusy, CalendarConnection } from '../entities/bookings/calendar-connection.entity.ts';
import { subtractCost, readCost, type Cost } from './support/cost.ts';
import { percentile, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { pollWithin } from './support/poll-within.ts';

const DAYS = 31;
const INTERVALS = 2000;
const WARM_UP = 50;
const LISTS = 300;
const MAX_LIST_MS = 15;

const VISITORS = 50;
const FREE_SLOTS = 10;
const ROUNDS = 10;
const MAX_BOOKING_MS = 150;
/** Timeout in milliseconds for the workflows and emails of a round's ten meetings, which take a few seconds. */
const MAX_FOLLOWED_MS = 60_000;

const HOURS = { business_open_hour: 8, business_close_hour: 18, slot_minutes: 60, weekdays_only: false };

interface Visitor {
  session_id: string;
  visitor_token: string;
}

interface Response {
  status: number;
  text: string;
  ms: number;
}

interface BenchBot {
  id: string;
  public_key: string;
  org_id: string;
}

/**
 * Measures the listing of a month's bookable slots with a full calendar, and many visitors who book few slots
 * at once.
 */
export async function benchSlots(): Promise<Figure[]> {
  const installation = await startInstallation({
    bookingsPerHour: 0,
    bookingsPerDay: 0,
  });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench').initialize();
  try {
    const db = new Database(dataSource);
    const bot = await call<BenchBot>(installation, 'POST', '/api/bots', { name: 'Bench' });
    await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    const booking = await measureBooking(installation, db, bot);
    return [...(await measureList(installation, db, bot)), ...booking];
  } finally {
    await dataSource.destroy();
    await installation.stop();
  }
}

async function measureList(installation: Installation, db: Database, bot: BenchBot): Promise<Figure[]> {
  await fillCalendar(db, bot.org_id);
  const from = new Date();
  const to = new Date(from.getTime() + DAYS * DAY_MS);
  const path = `/api/public/bots/${bot.public_key}/slots?from=${from.toISOString()}&to=${to.toISOString()}&timezone=America/New_York`;
  const times: number[] = [];
  let count = 0;
  let before = await readCost(installation, db);
  for (let round = 0; round < WARM_UP + LISTS; round += 1) {
    if (round === WARM_UP) before = await readCost(installation, db);
    const startedAt = performance.now();
    const slots = await call<unknown[]>(installation, 'GET', path);
    if (round >= WARM_UP) times.push(performance.now() - startedAt);
    count = slots.length;
  }
  const cost = subtractCost(before, await readCost(installation, db));
  const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
  return [
    {
      bench: 'slots',
      figure: `${DAYS} days of slots of 15 minutes beside ${INTERVALS} busy intervals, p95`,
      value: roundTo(p95),
      unit: 'ms',
      target: `≤ ${MAX_LIST_MS}`,
      note: `p50 ${roundTo(p50)} ms; ${count} slots are free; one caller; ${formatCpu(cost, LISTS)} each`,
      ok: p95 <= MAX_LIST_MS && count > 0,
    },
  ];
}

/** Stores busy times of a calendar as if a provider's calendar had just been read. */
async function fillCalendar(db: Database, orgId: string): Promise<void> {
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
  await db.repository(CalendarBusy).insert({
    connectionId: id,
    calendarId: 'primary',
    orgId,
    busy,
    coversFrom: new Date(start),
    coversUntil: new Date(start + 100 * DAY_MS),
  });
}

async function measureBooking(installation: Installation, db: Database, bot: BenchBot): Promise<Figure[]> {
  await call(installation, 'PATCH', '/api/calendar/settings', HOURS);
  const agent = new Agent({ keepAlive: true });
  const times: number[] = [];
  const sessionTimes: number[] = [];
  const outcomes: number[] = [];
  let visitors: Visitor[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const sessions = await startSessions(installation, agent, bot);
    if (round === 0) visitors = sessions.map(({ text }) => JSON.parse(text) as Visitor);
    await waitUntilFollowed(db);
    const results = await bookConcurrently(installation, agent, visitors, round);
    await waitUntilFollowed(db);
    // Ignore the times of the first round, which opens connections, creates contacts and plans queries.
    if (round > 0) {
      times.push(...results.map(({ ms }) => ms));
      sessionTimes.push(...sessions.map(({ ms }) => ms));
    }
    outcomes.push(results.filter(({ status }) => status === 201).length);
    const other = results.find(({ status }) => status !== 201 && status !== 409);
    if (other) throw new Error(`A booking ended with ${other.status}.`);
  }
  agent.destroy();
  const [p95, baseline] = [percentile(times, 0.95), percentile(sessionTimes, 0.95)];
  return [
    {
      bench: 'slots',
      figure: `${VISITORS} visitors who want ${FREE_SLOTS} free slots at once, p95`,
      value: roundTo(p95),
      unit: 'ms',
      baseline: roundTo(baseline),
      target: `≤ ${MAX_BOOKING_MS}, ${FREE_SLOTS} booked each time`,
      note: `p50 ${roundTo(percentile(times, 0.5))} ms; ${roundTo(p95 / baseline)} times as long as ${VISITORS} sessions that are started at once; booked in ${ROUNDS + 1} rounds: ${outcomes.join(', ')}`,
      ok: p95 <= MAX_BOOKING_MS && outcomes.every((count) => count === FREE_SLOTS),
    },
  ];
}

/** Starts one widget session for each visitor, all at the same time. */
function startSessions({ apiUrl }: Installation, agent: Agent, bot: BenchBot): Promise<Response[]> {
  const url = `${apiUrl}/api/public/bots/${bot.public_key}/sessions`;
  return Promise.all(Array.from({ length: VISITORS }, () => postJson(agent, url, {})));
}

/** Lets all visitors book at the same time. Each books one of ten slots. */
function bookConcurrently(
  { apiUrl }: Installation,
  agent: Agent,
  visitors: readonly Visitor[],
  round: number,
): Promise<Response[]> {
  const day = (Math.floor(Date.now() / DAY_MS) + 2 + round) * DAY_MS;
  const opening = day + HOURS.business_open_hour * HOUR_MS;
  return Promise.all(
    visitors.map(({ session_id: id, visitor_token: token }, index) =>
      postJson(
        agent,
        `${apiUrl}/api/public/sessions/${id}/bookings`,
        {
          start: new Date(opening + (index % FREE_SLOTS) * HOUR_MS).toISOString(),
          summary: 'Viewing',
          attendee_email: `${newId()}@example.com`,
        },
        { authorization: `Bearer ${token}` },
      ),
    ),
  );
}

/** Posts JSON with Node's `http` client: for each request, `fetch` takes as much CPU time as the API. */
async function postJson(
  agent: Agent,
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const startedAt = performance.now();
  const sent = request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const answer = await text(response);
  return { status: response.statusCode ?? 0, text: answer, ms: performance.now() - startedAt };
}

/**
 * Waits for the workflows and emails of the meetings that a round booked. They take longer than the measured
 * requests, and would slow the next requests.
 */
async function waitUntilFollowed(db: Database): Promise<void> {
  if (!(await pollWithin(MAX_FOLLOWED_MS, () => isFollowed(db))))
    throw new Error('The meetings of a round are still being followed.');
}

/** Returns whether the booked meetings need no further work before their reminders. */
async function isFollowed(db: Database): Promise<boolean> {
  const [left] = await db.sql<{ count: number }>(
    `SELECT ((SELECT count(*) FROM outbox WHERE due_at <= now() + interval '1 minute')
           + (SELECT count(*) FROM bookings WHERE announced_sequence IS NULL)
           + (SELECT count(*) FROM mails WHERE finished_at IS NULL))::int AS count`,
  );
  return left!.count === 0;
}

function formatCpu({ apiMs, postgresMs }: Cost, count: number): string {
  return `CPU of API and PostgreSQL ${roundTo(apiMs / count)} + ${roundTo(postgresMs / count)} ms`;
}
