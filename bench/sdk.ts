import { Parley } from '../sdk/typescript/src/index.ts';
import { roundTo, type Figure } from './support/figure.ts';
import { measureInTurn } from './support/measure-in-turn.ts';
import { call, type Installation } from './support/installation.ts';

const PAIRS = 4000;
/** Number of pairs of calls that V8 needs to compile the measured code. */
const WARM_UP_PAIRS = 1000;
const TARGET = 1.05;

/**
 * Compares getBot through the TypeScript SDK with bare `fetch`, call by call, so that the machine's other
 * load affects both.
 */
export async function benchSdk(installation: Installation): Promise<Figure[]> {
  const { apiUrl, apiKey } = installation;
  const { id } = await call<{ id: string }>(installation, 'POST', '/api/bots', { name: 'Bench' });
  const client = new Parley({ baseUrl: apiUrl, apiKey });
  const headers = { authorization: `Bearer ${apiKey}` };
  const { measured: sdk, baseline: bare } = await measureInTurn(
    {
      measured: () => client.bots.get(id),
      baseline: async () => (await fetch(`${apiUrl}/api/bots/${id}`, { headers })).json(),
    },
    { pairs: PAIRS, warmUpPairs: WARM_UP_PAIRS },
  );
  const ratio = roundTo(sdk / bare, 3);
  return [
    {
      bench: 'sdk',
      figure: 'a call by the TypeScript SDK, p50',
      value: roundTo(sdk, 3),
      unit: 'ms',
      baseline: roundTo(bare, 3),
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
