import { findFreePorts } from '../scripts/launcher/ports.ts';
import { MAX_HASH_THREADS } from '../services/accounts/passwords/hash-threads.ts';
import { hashPassword } from '../services/accounts/passwords/passwords.ts';
import { subtractCost, readCost, type Cost } from './support/cost.ts';
import { median, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { load, type Load } from './support/load.ts';
import { insertAccounts, WIDE_SIGN_IN_LIMITS, withDatabase } from './support/people.ts';
import { startPeer } from './support/peer.ts';

const PASSWORD = 'three blue lamps at noon';
const PEOPLE = 200;
const STORM_ROUNDS = 8;
const STORM_SECONDS = 2;
const READ_ROUNDS = 6;
const READ_SECONDS = 2;
const WARM_UP_SECONDS = 3;

/** Compares sign-ins with bare argon2 password checks, and requests of a session with requests of an API key. */
export async function benchSignIn(): Promise<Figure[]> {
  const [metricsPort] = await findFreePorts(1);
  const installation = await startInstallation({
    ...WIDE_SIGN_IN_LIMITS,
    PARLEY_METRICS_PORT: String(metricsPort),
  });
  const passwordHash = await hashPassword(PASSWORD);
  try {
    await withDatabase(installation, (db) =>
      insertAccounts(db, { prefix: 'storm', count: PEOPLE, passwordHash }),
    );
    return [
      ...(await measureStorm(installation, {
        passwordHash,
        metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
      })),
      ...(await measureReads(installation)),
    ];
  } finally {
    await installation.stop();
  }
}

interface StormRound {
  barePerSecond: number;
  signIns: Load;
  loopP99Ms: number;
}

/**
 * Compares 32 people who sign in concurrently with bare password checks, in turn. Makes as many checks at
 * once as Parley does.
 */
async function measureStorm(
  installation: Installation,
  { passwordHash, metricsUrl }: { passwordHash: string; metricsUrl: string },
): Promise<Figure[]> {
  await loadSignIns(installation, WARM_UP_SECONDS);
  const rounds: StormRound[] = [];
  for (let round = 0; round < STORM_ROUNDS; round += 1) {
    const bare = await startPeer('bare-argon2.ts', {}, [
      passwordHash,
      PASSWORD,
      String(MAX_HASH_THREADS),
      String(STORM_SECONDS),
    ]);
    await readLoopP99Ms(metricsUrl);
    const signIns = await loadSignIns(installation, STORM_SECONDS);
    rounds.push({ barePerSecond: Number(bare.line), signIns, loopP99Ms: await readLoopP99Ms(metricsUrl) });
  }
  return toStormFigures(rounds);
}

function loadSignIns({ apiUrl }: Installation, seconds: number): Promise<Load> {
  let person = 0;
  return load(`${apiUrl}/api/auth/login`, seconds, () => {
    person = (person % PEOPLE) + 1;
    return {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `storm-${person}@example.com`, password: PASSWORD }),
    };
  });
}

/**
 * Returns the p99 lag of the API's event loop in milliseconds since the last call. Node samples it every 10
 * ms, which the value includes.
 */
async function readLoopP99Ms(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

function toStormFigures(rounds: StormRound[]): Figure[] {
  if (rounds.some(({ signIns }) => signIns.failures > 0)) throw new Error('Some sign-ins failed.');
  const over = (figure: (round: StormRound) => number, digits = 1) =>
    roundTo(median(rounds.map(figure)), digits);
  const bench = 'sign-in';
  const ratio = over(({ signIns, barePerSecond }) => signIns.requestsPerSecond / barePerSecond, 2);
  const loopP99 = over((round) => round.loopP99Ms);
  return [
    {
      bench,
      figure: 'sign-ins/s',
      value: over(({ signIns }) => signIns.requestsPerSecond),
      unit: '1/s',
      baseline: over(({ barePerSecond }) => barePerSecond),
    },
    { bench, figure: 'ratio to bare argon2', value: ratio, unit: '×', target: '≥ 0.90', ok: ratio >= 0.9 },
    {
      bench,
      figure: 'event loop in a storm: p99 of a look every 10 ms',
      value: loopP99,
      unit: 'ms',
      target: '≤ 20 ms',
      ok: loopP99 <= 20,
    },
  ];
}

interface Read {
  load: Load;
  cost: Cost;
}

/** Compares getBot with an access token and with an API key of the same person, in turn. */
async function measureReads(installation: Installation): Promise<Figure[]> {
  const { apiUrl, apiKey } = installation;
  const { id } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const token = await signInKeyOwner(installation);
  const read = (credential: string, seconds: number) =>
    load(`${apiUrl}/api/bots/${id}`, seconds, { headers: { authorization: `Bearer ${credential}` } });
  return withDatabase(installation, async (db) => {
    const measureRead = async (credential: string): Promise<Read> => {
      const before = await readCost(installation, db);
      const done = await read(credential, READ_SECONDS);
      if (done.failures > 0) throw new Error('Some requests failed.');
      return { load: done, cost: subtractCost(before, await readCost(installation, db)) };
    };
    const rounds: Record<'key' | 'session', Read>[] = [];
    for (const credential of [apiKey, token]) await read(credential, WARM_UP_SECONDS);
    for (let round = 0; round < READ_ROUNDS; round += 1) {
      const isReversed = round % 2 === 1;
      const [first, second] = isReversed ? [token, apiKey] : [apiKey, token];
      const [one, other] = [await measureRead(first), await measureRead(second)];
      rounds.push(isReversed ? { key: other, session: one } : { key: one, session: other });
    }
    return readFigures(rounds);
  });
}

function readFigures(rounds: Record<'key' | 'session', Read>[]): Figure[] {
  const computeCpuMs = ({ load: { requestsPerSecond }, cost }: Read) =>
    (cost.apiMs + cost.postgresMs) / (requestsPerSecond * READ_SECONDS);
  const more = (of: (read: Read) => number) =>
    roundTo((median(rounds.map(({ key, session }) => of(session) / of(key))) - 1) * 100, 0);
  const time = more(({ load: { requestsPerSecond } }) => 1 / requestsPerSecond);
  const target = '≤ 10 %';
  const bench = 'sign-in';
  return [
    {
      bench,
      figure: 'getBot with a session: more time than with a key',
      value: time,
      unit: '%',
      target,
      ok: time <= 10,
    },
    {
      bench,
      figure: 'getBot with a session: more CPU than with a key',
      value: more(computeCpuMs),
      unit: '%',
    },
  ];
}

/** Signs in as the owner of the installation's API key, after setting a password; returns the access token. */
async function signInKeyOwner(installation: Installation): Promise<string> {
  const passwordHash = await hashPassword(PASSWORD);
  const {
    user: { email },
  } = await call<{ user: { email: string } }>(installation, 'GET', '/api/auth/me');
  await withDatabase(installation, (db) =>
    db.sql('UPDATE users SET password_hash = $2 WHERE email = $1', [email, passwordHash]),
  );
  const { access_token: token } = await call<{ access_token: string }>(
    installation,
    'POST',
    '/api/auth/login',
    {
      email,
      password: PASSWORD,
    },
  );
  return token;
}
