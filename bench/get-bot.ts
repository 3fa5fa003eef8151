import { startExtraApi } from './support/extra-api.ts';
import { toComparisonFigures, type ComparisonRound } from './support/comparison.ts';
import { median, roundTo, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';
import { load, type Load } from './support/load.ts';
import { startPeer } from './support/peer.ts';

const ROUNDS = 10;
const SECONDS = 2;
/** Time in seconds for V8 to compile the measured code. */
const WARM_UP_SECONDS = 5;

const WITHOUT_LIMITS = { PARLEY_RATE_LIMIT_PER_MINUTE: '0', PARLEY_PUBLIC_RATE_LIMIT_PER_MINUTE: '0' };

interface Round extends ComparisonRound {
  unlimited: Load;
}

/**
 * Compares getBot, called with an API key over 32 connections, with a bare Koa server and with Parley without
 * rate limits, in turn.
 */
export async function benchGetBot(installation: Installation): Promise<Figure[]> {
  const { apiUrl, databaseUrl, apiKey } = installation;
  const headers = { authorization: `Bearer ${apiKey}` };
  const { id } = await call<{ id: string }>(installation, 'POST', '/api/bots', {
    name: 'Bench',
    system_prompt: 'You are helpful. '.repeat(20),
  });
  const bare = await startPeer('bare-koa.ts', { DATABASE_URL: databaseUrl });
  const unlimited = await startExtraApi(installation, WITHOUT_LIMITS);
  try {
    const urls = {
      bare: `http://127.0.0.1:${bare.line}/api/bots/${id}`,
      parley: `${apiUrl}/api/bots/${id}`,
      unlimited: `${unlimited.url}/api/bots/${id}`,
    };
    for (const url of Object.values(urls)) await load(url, WARM_UP_SECONDS, { headers });
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      rounds.push(await measure(urls, headers, round % 2 === 1));
    return toGetBotFigures(rounds);
  } finally {
    bare.stop();
    await unlimited.stop();
  }
}

/**
 * @param isReversed true to measure in reverse order, so that no target profits from its position in all
 * rounds
 */
async function measure(
  urls: Record<keyof Round, string>,
  headers: Record<string, string>,
  isReversed: boolean,
): Promise<Round> {
  const round: Partial<Round> = {};
  const order = ['bare', 'parley', 'unlimited'] as const;
  for (const what of isReversed ? order.toReversed() : order)
    round[what] = await load(urls[what], SECONDS, { headers });
  return round as Round;
}

function toGetBotFigures(rounds: Round[]): Figure[] {
  const bench = 'get-bot';
  const cost = median(
    rounds.map(({ parley, unlimited }) => 1 - parley.requestsPerSecond / unlimited.requestsPerSecond),
  );
  return [
    ...toComparisonFigures(rounds, { bench, bareName: 'bare Koa + pg', target: 0.4 }),
    {
      bench,
      figure: 'requests/s that limits cost',
      value: roundTo(cost * 100, 0),
      unit: '%',
      target: '≤ 10 %',
      ok: roundTo(cost) <= 0.1,
    },
  ];
}
