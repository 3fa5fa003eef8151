import { randomUUID } from 'node:crypto';
import { median, rounded, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';
import { load, type LoadedRequest } from './support/load.ts';
import { startPeer } from './support/peer.ts';

const ROUNDS = 5;
const SECONDS = 3;
const TARGET = 0.35;

/** createBot with an Idempotency-Key of its own for each call, against the bare insert transaction, in turn. */
export async function benchCreateBot(installation: Installation): Promise<Figure[]> {
  const { apiUrl, databaseUrl, apiKey } = installation;
  const { org_id: orgId } = await call<{ org_id: string }>(installation, 'POST', '/api/bots', {
    name: 'Bench',
  });
  const request = (): LoadedRequest => ({
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: '{"name":"Bench"}',
  });
  const bare = await startPeer('bare-insert.ts', { DATABASE_URL: databaseUrl }, [orgId]);
  try {
    const bareUrl = `http://127.0.0.1:${bare.line}/`;
    const parleyUrl = `${apiUrl}/api/bots`;
    await Promise.all([load(bareUrl, 1, request), load(parleyUrl, 1, request)]);
    const ratios: number[] = [];
    let last = { parley: 0, bare: 0, p50Ms: 0, p99Ms: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const bareLoad = await load(bareUrl, SECONDS, request);
      const parley = await load(parleyUrl, SECONDS, request);
      if (parley.failures + bareLoad.failures > 0) throw new Error('Some requests failed.');
      last = { ...parley, parley: parley.requestsPerSecond, bare: bareLoad.requestsPerSecond };
      ratios.push(last.parley / last.bare);
    }
    const ratio = median(ratios);
    return [
      {
        bench: 'create-bot',
        figure: 'requests/s',
        value: rounded(last.parley, 0),
        unit: '1/s',
        baseline: rounded(last.bare, 0),
      },
      {
        bench: 'create-bot',
        figure: 'ratio to the bare insert',
        value: rounded(ratio),
        unit: '×',
        target: `≥ ${TARGET}`,
        ok: ratio >= TARGET,
      },
      {
        bench: 'create-bot',
        figure: 'p99 to p50',
        value: rounded(last.p99Ms / last.p50Ms),
        unit: '×',
        target: '≤ 4',
        ok: last.p99Ms <= 4 * last.p50Ms,
      },
    ];
  } finally {
    bare.stop();
  }
}
