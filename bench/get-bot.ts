import type { Installation } from './support/installation.ts';
import { median, rounded, type Figure } from './support/figure.ts';
import { load, type Load } from './support/load.ts';
import { startPeer } from './support/peer.ts';

const ROUNDS = 5;
const SECONDS = 3;

/** getBot with an API key on 32 connections, against bare Koa and pg doing the one query, in turn. */
export async function benchGetBot({ apiUrl, databaseUrl, apiKey }: Installation): Promise<Figure[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const created = await fetch(`${apiUrl}/api/bots`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', system_prompt: 'You are helpful. '.repeat(20) }),
  });
  const { id } = (await created.json()) as { id: string };
  const bare = await startPeer('bare-koa.ts', { DATABASE_URL: databaseUrl });
  try {
    const bareUrl = `http://127.0.0.1:${bare.line}/api/bots/${id}`;
    const parleyUrl = `${apiUrl}/api/bots/${id}`;
    await Promise.all([load(bareUrl, 1), load(parleyUrl, 1, { headers })]);
    const ratios: number[] = [];
    let last: { parley: Load; bare: Load } | undefined;
    for (let round = 0; round < ROUNDS; round += 1) {
      last = {
        bare: await load(bareUrl, SECONDS),
        parley: await load(parleyUrl, SECONDS, { headers }),
      };
      if (last.parley.failures + last.bare.failures > 0) throw new Error('Some requests failed.');
      ratios.push(last.parley.requestsPerSecond / last.bare.requestsPerSecond);
    }
    const ratio = median(ratios);
    return [
      {
        bench: 'get-bot',
        figure: 'requests/s',
        value: rounded(last!.parley.requestsPerSecond, 0),
        unit: '1/s',
        baseline: rounded(last!.bare.requestsPerSecond, 0),
      },
      {
        bench: 'get-bot',
        figure: 'ratio to bare Koa + pg',
        value: rounded(ratio),
        unit: '×',
        target: '≥ 0.45',
        ok: ratio >= 0.45,
      },
      {
        bench: 'get-bot',
        figure: 'p99 latency',
        value: last!.parley.p99Ms,
        unit: 'ms',
        baseline: last!.bare.p99Ms,
      },
    ];
  } finally {
    bare.stop();
  }
}
