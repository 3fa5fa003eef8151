import { randomUUID } from 'node:crypto';
import { toComparisonFigures, type ComparisonRound } from './support/comparison.ts';
import type { Figure } from './support/figure.ts';
import { call, type Installation } from './support/installation.ts';
import { load, type LoadedRequest } from './support/load.ts';
import { startPeer } from './support/peer.ts';

const ROUNDS = 9;
const SECONDS = 2;
/** Time in seconds for V8 to compile the measured code. */
const WARM_UP_SECONDS = 5;

/**
 * Compares createBot, with a new Idempotency-Key for each call, with a bare server that only runs the insert,
 * in turn.
 */
export async function benchCreateBot(installation: Installation): Promise<Figure[]> {
  const { apiUrl, databaseUrl, apiKey } = installation;
  const { org_id: orgId } = await call<{ org_id: string }>(installation, 'POST', '/api/bots', {
    name: 'Bench',
  });
  const buildRequest = (): LoadedRequest => ({
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
    for (const url of [bareUrl, parleyUrl]) await load(url, WARM_UP_SECONDS, buildRequest);
    const rounds: ComparisonRound[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push({
        bare: await load(bareUrl, SECONDS, buildRequest),
        parley: await load(parleyUrl, SECONDS, buildRequest),
      });
    }
    return toComparisonFigures(rounds, { bench: 'create-bot', bareName: 'the bare insert', target: 0.35 });
  } finally {
    bare.stop();
  }
}
