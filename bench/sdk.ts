import { Parley } from '../sdk/typescript/src/index.ts';
import { median, rounded, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const ROUNDS = 15;
const CALLS = 200;
/** Until V8 has compiled what is measured. */
const WARM_UP_CALLS = 1000;
const TARGET = 1.05;

/** getBot by the TypeScript SDK, one call after the other, in turn with `fetch` alone on the same connections. */
export async function benchSdk(installation: Installation): Promise<Figure[]> {
  const { apiUrl, apiKey } = installation;
  const { id } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const client = new Parley({ baseUrl: apiUrl, apiKey });
  const headers = { authorization: `Bearer ${apiKey}` };
  const ways = {
    bare: async () => (await fetch(`${apiUrl}/api/bots/${id}`, { headers })).json(),
    sdk: async () => client.bots.get(id),
  };
  for (const way of Object.values(ways)) await timed(way, WARM_UP_CALLS);
  const rounds: Record<keyof typeof ways, number>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const times = { bare: 0, sdk: 0 };
    // What comes later has no advantage over all rounds.
    for (const name of round % 2 === 0 ? (['bare', 'sdk'] as const) : (['sdk', 'bare'] as const))
      times[name] = await timed(ways[name], CALLS);
    rounds.push(times);
  }
  return figuresOf(rounds);
}

/** Returns the milliseconds of a call. */
async function timed(way: () => Promise<unknown>, calls: number): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < calls; index += 1) await way();
  return (performance.now() - startedAt) / calls;
}

function figuresOf(rounds: readonly { bare: number; sdk: number }[]): Figure[] {
  const bench = 'sdk';
  const ratio = rounded(median(rounds.map(({ bare, sdk }) => sdk / bare)), 3);
  return [
    {
      bench,
      figure: 'a call by the TypeScript SDK',
      value: rounded(median(rounds.map(({ sdk }) => sdk)), 3),
      unit: 'ms',
      baseline: rounded(median(rounds.map(({ bare }) => bare)), 3),
    },
    { bench, figure: 'ratio to fetch', value: ratio, unit: '×', target: `≤ ${TARGET}`, ok: ratio <= TARGET },
  ];
}
