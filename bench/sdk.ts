import { Parley } from '../sdk/typescript/src/index.ts';
import { median, rounded, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';

const PAIRS = 4000;
/** Until V8 has compiled what is measured. */
const WARM_UP_PAIRS = 1000;
const TARGET = 1.05;

/** getBot by the TypeScript SDK, each call beside one by `fetch` alone, so that whatever else the machine does befalls both. */
export async function benchSdk(installation: Installation): Promise<Figure[]> {
  const { apiUrl, apiKey } = installation;
  const { id } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const client = new Parley({ baseUrl: apiUrl, apiKey });
  const headers = { authorization: `Bearer ${apiKey}` };
  const times: Record<'bare' | 'sdk', number[]> = { bare: [], sdk: [] };
  const ways = {
    bare: async () => (await fetch(`${apiUrl}/api/bots/${id}`, { headers })).json(),
    sdk: async () => client.bots.get(id),
  };
  for (let pair = 0; pair < WARM_UP_PAIRS + PAIRS; pair += 1) {
    // What comes later has no advantage over all pairs.
    for (const name of pair % 2 === 0 ? (['bare', 'sdk'] as const) : (['sdk', 'bare'] as const)) {
      const startedAt = performance.now();
      await ways[name]();
      if (pair >= WARM_UP_PAIRS) times[name].push(performance.now() - startedAt);
    }
  }
  const [bare, sdk] = [median(times.bare), median(times.sdk)];
  const ratio = rounded(sdk / bare, 3);
  return [
    {
      bench: 'sdk',
      figure: 'a call by the TypeScript SDK, p50',
      value: rounded(sdk, 3),
      unit: 'ms',
      baseline: rounded(bare, 3),
    },
    {
      bench: 'sdk',
      figure: 'ratio to fetch',
      value: ratio,
      unit: '×',
      target: `≤ ${TARGET}`,
      ok: ratio <= TARGET,
    },
  ];
}
