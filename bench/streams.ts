import { Agent, request } from 'node:http';
import { percentile, rounded, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';

const STREAMS = 100;
/** Together they stay within the thousand messages a minute that a bot takes at most. */
const WARM_UP_ROUNDS = 4;
const ROUNDS = 6;
const LIMIT_MS = 100;

/** 100 visitors ask at the same moment; the model answers at once, so what is measured is Parley's own time. */
export async function benchStreams(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts');
  const installation = await startInstallation({ PARLEY_MODEL_BASE_URL: model.line });
  const agent = new Agent({ keepAlive: true, maxSockets: STREAMS });
  try {
    const bot = await call<{ id: string; public_key: string }>(installation, 'POST', '/api/bots', {
      name: 'Bench',
      rate_limit_per_minute: 1000,
    });
    await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    const latencies: number[] = [];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
      const visitors = await Promise.all(
        Array.from({ length: STREAMS }, () => openSession(installation, bot.public_key)),
      );
      const first = await Promise.all(
        visitors.map((visitor) => timeToFirstEvent(installation, visitor, agent)),
      );
      if (round >= WARM_UP_ROUNDS) latencies.push(...first);
    }
    return figures(latencies);
  } finally {
    agent.destroy();
    await installation.stop();
    model.stop();
  }
}

function figures(latencies: number[]): Figure[] {
  const p95 = percentile(latencies, 0.95);
  return [
    {
      bench: 'streams',
      figure: 'time to first event, p50',
      value: rounded(percentile(latencies, 0.5), 1),
      unit: 'ms',
    },
    {
      bench: 'streams',
      figure: 'time to first event, p95',
      value: rounded(p95, 1),
      unit: 'ms',
      target: `≤ ${LIMIT_MS} ms`,
      ok: p95 <= LIMIT_MS,
    },
  ];
}

interface Session {
  session_id: string;
  visitor_token: string;
}

function openSession(installation: Installation, publicKey: string): Promise<Session> {
  return call<Session>(installation, 'POST', `/api/public/bots/${publicKey}/sessions`, {});
}

/** Milliseconds from the request to the first bytes of the stream's first event; reads it to its end. */
function timeToFirstEvent({ apiUrl }: Installation, session: Session, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${apiUrl}/api/public/sessions/${session.session_id}/messages/stream`, {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${session.visitor_token}`, 'content-type': 'application/json' },
    });
    asked.once('error', reject);
    asked.once('response', (response) => {
      if (response.statusCode !== 200)
        return reject(new Error(`A stream was refused: ${response.statusCode}`));
      let first: number | undefined;
      response.on('data', () => (first ??= performance.now() - startedAt));
      response.once('end', () => resolve(first ?? NaN));
    });
    const startedAt = performance.now();
    asked.end(JSON.stringify({ content: 'What does a day pass cost?' }));
  });
}
