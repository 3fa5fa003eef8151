import type { Database } from '../../database/database.ts';
import { median, roundTo, type Figure } from './figure.ts';
import type { Installation } from './installation.ts';
import { createActiveBot, createVisitor, sendMessage, type BenchVisitor } from './visitors.ts';

const BOTS = 4;
const VISITORS = 32;
/** Number of turns of each visitor in a round, after the warm-up turns. */
const TURNS = 30;
const WARM_UP_TURNS = 3;
const WARM_UP_ROUNDS = 2;

export interface TurnComparison<Kind extends string> {
  bench: string;
  /** The two kinds of conversation turns; the second is the baseline. */
  kinds: readonly [Kind, Kind];
  rounds: number;
  /** Changes the installation so that the next turns are of the given kind. */
  switchTo(kind: Kind, visitor: BenchVisitor): Promise<void>;
  rateName: string;
  shareName: string;
  minShare: number;
}

/**
 * Compares two kinds of conversation turns by turns per second, with 32 concurrent visitors. Each round
 * measures both kinds; their order alternates.
 */
export async function compareTurns<Kind extends string>(
  installation: Installation,
  db: Database,
  compared: TurnComparison<Kind>,
): Promise<Figure[]> {
  const { kinds, rounds, switchTo } = compared;
  const visitors = await buildVisitors(installation, db);
  const rates: [number, number][] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    const rate: [number, number] = [0, 0];
    for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      await switchTo(kinds[index], visitors[0]!);
      await takeTurns(installation.apiUrl, visitors, WARM_UP_TURNS);
      rate[index] = await measureTurnsPerSecond(installation.apiUrl, visitors);
    }
    rates.push(rate);
  }
  return toShareFigures(rates.slice(WARM_UP_ROUNDS), compared);
}

async function buildVisitors(installation: Installation, db: Database): Promise<BenchVisitor[]> {
  const bots = await Promise.all(Array.from({ length: BOTS }, () => createActiveBot(installation)));
  // The API accepts no rate limit above 1,000 messages a minute, so set a higher limit in the database.
  await db.sql('UPDATE bots SET rate_limit_per_minute = 1000000');
  return Promise.all(
    Array.from({ length: VISITORS }, (_, index) => createVisitor(installation, bots[index % BOTS]!)),
  );
}

async function measureTurnsPerSecond(apiUrl: string, visitors: readonly BenchVisitor[]): Promise<number> {
  const startedAt = performance.now();
  await takeTurns(apiUrl, visitors, TURNS);
  return (visitors.length * TURNS) / ((performance.now() - startedAt) / 1000);
}

/** @throws Error if the API refuses a message */
async function takeTurns(apiUrl: string, visitors: readonly BenchVisitor[], each: number): Promise<void> {
  await Promise.all(
    visitors.map(async (visitor) => {
      for (let turn = 0; turn < each; turn += 1) {
        const status = await sendMessage(apiUrl, visitor);
        if (status !== 201) throw new Error(`A turn returned ${status}.`);
      }
    }),
  );
}

function toShareFigures(
  rates: readonly [number, number][],
  { bench, rateName, shareName, minShare }: Omit<TurnComparison<string>, 'switchTo'>,
): Figure[] {
  const share = median(rates.map(([rate, baseline]) => rate / baseline));
  return [
    {
      bench,
      figure: rateName,
      value: Math.round(median(rates.map(([rate]) => rate))),
      unit: '1/s',
      baseline: Math.round(median(rates.map(([, baseline]) => baseline))),
    },
    {
      bench,
      figure: shareName,
      value: roundTo(share),
      unit: '×',
      target: `≥ ${minShare}`,
      ok: share >= minShare,
    },
  ];
}
