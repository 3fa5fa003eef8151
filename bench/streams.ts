import { startModelServer } from '../test/support/model-server.ts';
import { percentile, rounded, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';

const STREAMS = 100;
const ROUNDS = 5;
const LIMIT_MS = 100;

/** 100 visitors ask at the same moment; the model answers at once, so what is measured is Parley's own time. */
export async function benchStreams(): Promise<Figure[]> {
  const model = await startModelServer({ answer: () => 'A day pass costs seven pounds fifty.' });
  const installation = await startInstallation({ PARLEY_MODEL_BASE_URL: model.baseUrl });
  try {
    const bot = await call<{ id: string; public_key: string }>(installation, 'POST', '/api/bots', {
      name: 'Bench',
      rate_limit_per_minute: 1000,
    });
    await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
    const latencies: number[] = [];
    for (let round = -1; round < ROUNDS; round += 1) {
      const visitors = await Promise.all(
        Array.from({ length: STREAMS }, () => openSession(installation, bot.public_key)),
      );
      const first = await Promise.all(visitors.map((visitor) => timeToFirstEvent(installation, visitor)));
      if (round >= 0) latencies.push(...first);
    }
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
  } finally {
    await installation.stop();
    await model.close();
  }
}

interface Session {
  session_id: string;
  visitor_token: string;
}

function openSession(installation: Installation, publicKey: string): Promise<Session> {
  return call<Session>(installation, 'POST', `/api/public/bots/${publicKey}/sessions`, {});
}

/** Milliseconds from the request to the first bytes of the stream; reads it to its end. */
async function timeToFirstEvent({ apiUrl }: Installation, session: Session): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${apiUrl}/api/public/sessions/${session.session_id}/messages/stream`, {
    method: 'POST',
    headers: { authorization: `Bearer ${session.visitor_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ content: 'What does a day pass cost?' }),
  });
  if (!response.ok || !response.body) throw new Error(`A stream was refused: ${response.status}`);
  let first: number | undefined;
  for await (const _bytes of response.body) first ??= performance.now() - startedAt;
  return first ?? NaN;
}
