import { randomUUID } from 'node:crypto';
import { median, rounded, type Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';
import { load, type Load, type LoadedRequest } from './support/load.ts';
import { startPeer } from './support/peer.ts';

const ROUNDS = 9;
const SECONDS = 2;
/** Until V8 has compiled what is measured. */
const WARM_UP_SECONDS = 5;
const TARGET = 0.35;

/** What was measured one after the other. */
interface Round {
  bare: Load;
  parley: Load;
}

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
    for (const url of [bareUrl, parleyUrl]) await load(url, WARM_UP_SECONDS, request);
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        bare: await load(bareUrl, SECONDS, request),
        parley: await load(parleyUrl, SECONDS, request),
      });
    }
    if (rounds.some((round) => round.bare.failures + round.parley.failures > 0))
      throw new Error('Some requests failed.');
    return figuresOf(rounds);
  } finally {
    bare.stop();
  }
}

function figuresOf(rounds: Round[]): Figure[] {
  const over = (figure: (round: Round) => number) => rounded(median(rounds.map(figure)));
  const ratio = over(({ parley, bare }) => parley.requestsPerSecond / bare.requestsPerSecond);
  const spread = over(({ parley }) => parley.p99Ms / parley.p50Ms);
  const bench = 'create-bot';
  return [
    {
      bench,
      figure: 'requests/s',
      value: Math.round(over(({ parley }) => parley.requestsPerSecond)),
      unit: '1/s',
      baseline: Math.round(over(({ bare }) => bare.requestsPerSecond)),
    },
    {
      bench,
      figure: 'ratio to the bare insert',
      value: ratio,
      unit: '×',
      target: `≥ ${TARGET}`,
      ok: ratio >= TARGET,
    },
    {
      bench,
      figure: 'p99 to p50',
      value: spread,
      unit: '×',
      baseline: over(({ bare }) => bare.p99Ms / bare.p50Ms),
      target: '≤ 4',
      ok: spread <= 4,
    },
  ];
}
