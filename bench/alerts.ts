import { newId } from '../core/ids.ts';
import { Database } from '../database/database.ts';
import { createDataSource } from '../entities/data-source.ts';
import { AlertDestination } from '../entities/alerts/alert-destination.entity.ts';
import { AlertPolicy } from '../entities/alerts/alert-policy.entity.ts';
import { Alert } from '../entities/alerts/alert.entity.ts';
import { OUTBOX_CHANNEL } from '../entities/outbox/outbox.entity.ts';
import { OutboxService } from '../services/outbox/outbox-service.ts';
import { FakeTelegram, TELEGRAM_BOT } from '../test/support/telegram.ts';
import { median, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { createOwnerKey } from './support/owner.ts';
import { pollWithin } from './support/poll-within.ts';

const POLICIES = 500;
const EVENTS_EACH = 20;
const EVENTS = POLICIES * EVENTS_EACH;
const CRITICAL = 10;
const MAX_QUEUED_MS = 10_000;
const MAX_CRITICAL_MS = 2000;
const OTHER_CHATS = 700_000;
const PACED = 250;
/** Number of chat messages of the pace measurement that all go to one chat, out of `PACED` messages. */
const PACED_TOGETHER = 5;
const MIN_PER_SECOND = 20;
const MAX_PER_SECOND = 30;
const PACED_CHATS = 500_000;
const TIMEOUT_MS = 15_000;
const PACED_TIMEOUT_MS = 60_000;

interface Workspace {
  orgId: string;
  botIds: string[];
}

interface Scene {
  installation: Installation;
  db: Database;
  telegram: FakeTelegram;
}

/**
 * Measures how fast Parley sends alerts to Telegram chats. Then all chats of one workspace hang, and the
 * bench measures the critical alerts of another workspace.
 */
export async function benchAlerts(): Promise<Figure[]> {
  const telegram = new FakeTelegram();
  const installation = await startInstallation({
    telegramApiUrl: await telegram.start(),
    PARLEY_TELEGRAM_BOT_TOKEN: telegram.token,
    PARLEY_TELEGRAM_BOT_NAME: TELEGRAM_BOT,
    alertPauses: '0,0,0',
  });
  try {
    const { databaseUrl } = installation;
    const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench').initialize();
    try {
      const scene = { installation, db: new Database(dataSource), telegram };
      return [await measurePace(scene), ...(await measure(scene))];
    } finally {
      await dataSource.destroy();
    }
  } finally {
    await installation.stop();
    await telegram.stop();
  }
}

/** Measures how many alerts a second Parley sends to Telegram chats that accept them. */
async function measurePace(scene: Scene): Promise<Figure> {
  const { db, telegram } = scene;
  const getChatId = (index: number) => String(PACED_CHATS + Math.max(PACED_TOGETHER, index + 1));
  const workspace = await createWorkspace(scene, PACED, getChatId);
  telegram.hasLimits = true;
  await commitEvents(db, workspace, 1);
  await pollWithin(PACED_TIMEOUT_MS, async () => telegram.sent.length > 0);
  const [startedAt, sentBefore] = [performance.now(), telegram.sent.length];
  await pollWithin(PACED_TIMEOUT_MS, async () => telegram.sent.length >= PACED);
  const perSecond = ((telegram.sent.length - sentBefore) * 1000) / (performance.now() - startedAt);
  telegram.hasLimits = false;
  return {
    bench: 'alerts',
    figure: `${PACED} messages, ${PACED_TOGETHER} of them to one chat, a second`,
    value: roundTo(perSecond),
    unit: '1/s',
    target: `${MIN_PER_SECOND} to ${MAX_PER_SECOND}, none refused`,
    note: `${telegram.floods} refused with 429; ${PACED - telegram.sent.length} not sent`,
    ok:
      perSecond >= MIN_PER_SECOND &&
      perSecond <= MAX_PER_SECOND &&
      telegram.floods === 0 &&
      telegram.sent.length === PACED,
  };
}

async function measure(scene: Scene): Promise<Figure[]> {
  const { db, telegram } = scene;
  const busy = await createWorkspace(scene, POLICIES, (index) => String(900_000 + index));
  for (let index = 0; index < POLICIES; index += 1) telegram.faults.set(String(900_000 + index), 'hang');
  const other = await createWorkspace(scene, CRITICAL, (index) => String(OTHER_CHATS + index));
  const before = telegram.attempts;
  await commitEvents(db, busy, EVENTS_EACH);
  const committedAt = performance.now();
  const queuedMs = pollWithin(TIMEOUT_MS, async () => (await countAlerts(db, busy.orgId)) >= EVENTS).then(
    () => performance.now() - committedAt,
  );
  const [queued, times] = await Promise.all([queuedMs, measureCriticalAlerts(scene, other)]);
  const worst = Math.max(...times);
  const lostCount = EVENTS - (await countAlerts(db, busy.orgId));
  return [
    {
      ...buildAlertFigure(`${EVENTS} events over ${POLICIES} policies, until queued`, queued, MAX_QUEUED_MS),
      note: `${lostCount} lost; ${telegram.attempts - before - CRITICAL} attempts hung`,
      ok: queued <= MAX_QUEUED_MS && lostCount === 0,
    },
    {
      ...buildAlertFigure('critical alert of another workspace beside them, slowest', worst, MAX_CRITICAL_MS),
      note: `of ${CRITICAL}, one after the other; p50 ${roundTo(median(times))} ms`,
    },
  ];
}

/** Creates a workspace with one bot for each alert policy. Each policy covers only the events of its bot. */
async function createWorkspace(
  { installation, db }: Scene,
  bots: number,
  getChat: (index: number) => string,
): Promise<Workspace> {
  const orgId = newId();
  const as = { ...installation, apiKey: await createOwnerKey(db, orgId) };
  const botIds: string[] = [];
  for (let index = 0; index < bots; index += 1) {
    const { id: botId } = await call<{ id: string }>(as, 'POST', '/api/bots', { name: 'Bench' });
    await addPolicy(db, orgId, botId, getChat(index));
    botIds.push(botId);
  }
  return { orgId, botIds };
}

/** Inserts an alert policy into the database, since the API operation allows fewer policies than the bench needs. */
async function addPolicy(
  db: Database,
  orgId: string,
  botId: string | null,
  destination: string,
): Promise<void> {
  const place = { orgId, channel: 'telegram', destination } as const;
  await db
    .repository(AlertDestination)
    .createQueryBuilder()
    .insert()
    .values({ ...place, verifiedAt: new Date(), verifiedBy: 'link' })
    .orIgnore()
    .execute();
  await db.repository(AlertPolicy).insert({
    ...place,
    id: newId(),
    botId,
    intensity: 'all',
    digest: 'none',
    digestHour: 9,
    digestWeekday: 1,
    timezone: 'UTC',
  });
}

/** Commits all events to the outbox in one statement: separate writes would take longer than the measured queuing. */
function commitEvents(db: Database, { orgId, botIds }: Workspace, each: number): Promise<void> {
  return db.transaction(async (tx) => {
    await tx.sql(
      `INSERT INTO outbox (id, org_id, bot_id, kind, name, payload)
       SELECT uuidv7(), $1::uuid, bot_id, 'event', 'usage.limit_reached', json_build_object('bot_id', bot_id)
       FROM unnest($2::uuid[]) AS bot_id, generate_series(1, $3::int)`,
      [orgId, botIds, each],
    );
    await tx.sql('SELECT pg_notify($1, $2)', [OUTBOX_CHANNEL, 'event']);
  });
}

/** Measures the milliseconds from the commit of each bot's event to the chat provider's receipt of the alert. */
async function measureCriticalAlerts(
  { db, telegram }: Scene,
  { orgId, botIds }: Workspace,
): Promise<number[]> {
  const outbox = new OutboxService();
  const times: number[] = [];
  for (const [index, botId] of botIds.entries()) {
    const startedAt = performance.now();
    await outbox.event({ orgId, db }, 'usage.limit_reached', { bot_id: botId }, botId);
    const arrived = await pollWithin(TIMEOUT_MS, () =>
      Promise.resolve(telegram.getTextsTo(String(OTHER_CHATS + index)).length === 1),
    );
    times.push(arrived ? performance.now() - startedAt : Infinity);
  }
  if (process.env['BENCH_TIMES']) console.error(times.map(Math.round));
  return times;
}

function countAlerts(db: Database, orgId: string): Promise<number> {
  return db.repository(Alert).countBy({ orgId });
}

function buildAlertFigure(figure: string, value: number, limit: number): Figure {
  return {
    bench: 'alerts',
    figure,
    value: roundTo(value),
    unit: 'ms',
    target: `≤ ${limit}`,
    ok: value <= limit,
  };
}
