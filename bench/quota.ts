import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { median, rounded, type Figure } from './support/figure.ts';
import { startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';
import { turnsPerSecond } from './support/turns-per-second.ts';
import { newActiveBot, newVisitor, sayTo } from './support/visitors.ts';

const BOTS = 4;
const VISITORS = 32;
/** Of each visitor in a round. */
const TURNS = 12;
const ROUNDS = 40;
const WARM_UP_ROUNDS = 2;
const LEAST_SHARE = 0.95;

/** Turns of 32 visitors at once with a plan that limits messages and with one that does not, round by round; the model answers at once. */
export async function benchQuota(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts');
  const installation = await startInstallation({
    PARLEY_MODEL_BASE_URL: model.line,
    PARLEY_STRIPE_SECRET_KEY: 'rk_test_bench',
    PARLEY_STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    PARLEY_PLANS: '{"business":{"messages_per_month":1000000000}}',
  });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  try {
    return figuresOf(await measure(installation, new Database(dataSource)));
  } finally {
    await dataSource.destroy();
    await installation.stop();
    model.stop();
  }
}

interface Round {
  limited: number;
  unlimited: number;
}

async function measure(installation: Installation, db: Database): Promise<Round[]> {
  const bots = await Promise.all(Array.from({ length: BOTS }, () => newActiveBot(installation)));
  // A bot takes a thousand messages a minute at most.
  await db.sql('UPDATE bots SET rate_limit_per_minute = 1000000');
  const visitors = await Promise.all(
    Array.from({ length: VISITORS }, (_, index) => newVisitor(installation, bots[index % BOTS]!)),
  );
  const rounds: Round[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const rates = { limited: 0, unlimited: 0 };
    const order = round % 2 === 0 ? (['limited', 'unlimited'] as const) : (['unlimited', 'limited'] as const);
    for (const kind of order) {
      const tier = kind === 'limited' ? 'business' : 'enterprise';
      await db.sql('UPDATE orgs SET plan_tier = $1', [tier]);
      // What was counted under a limit is counted to the end of the month.
      await db.sql('DELETE FROM plan_months');
      // The first turn of a plan counts what there was.
      await sayTo(installation.apiUrl, visitors[0]!);
      rates[kind] = await turnsPerSecond(installation.apiUrl, visitors, TURNS);
    }
    rounds.push(rates);
  }
  return rounds.slice(WARM_UP_ROUNDS);
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const over = (figure: (round: Round) => number) => median(rounds.map(figure));
  const share = over(({ limited, unlimited }) => limited / unlimited);
  return [
    {
      bench: 'quota',
      figure: 'turns a second with a plan that limits them',
      value: Math.round(over(({ limited }) => limited)),
      unit: '1/s',
      baseline: Math.round(over(({ unlimited }) => unlimited)),
    },
    {
      bench: 'quota',
      figure: 'share of those without a limit, median of rounds',
      value: rounded(share),
      unit: '×',
      target: `≥ ${LEAST_SHARE}`,
      ok: share >= LEAST_SHARE,
    },
  ];
}
