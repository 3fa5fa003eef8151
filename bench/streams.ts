import { Agent, request } from 'node:http';
import { median, percentile, rounded, type Figure } from './support/figure.ts';
import { inBatches } from '../test/support/in-batches.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';

/** Visitors who ask at the same moment, and how long p95 of them may wait for their first event. */
const CROWDS = [
  { streams: 100, limitMs: 100, warmUpRounds: 4, rounds: 6 },
  { streams: 500, limitMs: 150, warmUpRounds: 2, rounds: 4 },
];
const LEAST_EVENTS_PER_SECOND = 2500;

/** Many visitors ask at the same moment; the model answers at once, so what is measured is Parley's own time. */
export async function benchStreams(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts');
  const installation = await startInstallation({ PARLEY_MODEL_BASE_URL: model.line });
  try {
    const figures: Figure[] = [];
    for (const crowd of CROWDS) figures.push(...(await measure(installation, crowd)));
    return figures;
  } finally {
    await installation.stop();
    model.stop();
  }
}

async function measure(
  installation: Installation,
  { streams, limitMs, warmUpRounds, rounds }: (typeof CROWDS)[number],
): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: streams });
  const [latencies, rates]: [number[], number[]] = [[], []];
  for (let round = 0; round < warmUpRounds + rounds; round += 1) {
    const publicKey = await newBot(installation);
    const visitors = await inBatches(Array.from({ length: streams }), 50, () =>
      openSession(installation, publicKey),
    );
    const startedAt = performance.now();
    const answers = await Promise.all(visitors.map((visitor) => ask(installation, visitor, agent)));
    const seconds = (performance.now() - startedAt) / 1000;
    if (round < warmUpRounds) continue;
    latencies.push(...answers.map(({ firstMs }) => firstMs));
    rates.push(answers.reduce((sum, { events }) => sum + events, 0) / seconds);
  }
  agent.destroy();
  const p95 = percentile(latencies, 0.95);
  const figure = (name: string, value: number, unit: string): Figure => ({
    bench: 'streams',
    figure: `${streams} at once: ${name}`,
    value: rounded(value, 1),
    unit,
  });
  return [
    figure('time to first event, p50', median(latencies), 'ms'),
    { ...figure('time to first event, p95', p95, 'ms'), target: `≤ ${limitMs} ms`, ok: p95 <= limitMs },
    {
      ...figure('events a second', median(rates), '1/s'),
      ...(streams >= 500 && {
        target: `≥ ${LEAST_EVENTS_PER_SECOND}`,
        ok: median(rates) >= LEAST_EVENTS_PER_SECOND,
      }),
    },
  ];
}

/** One for each round, since a bot takes a thousand messages a minute at most. */
async function newBot(installation: Installation): Promise<string> {
  const bot = await call<{ id: string; public_key: string }>(installation, 'POST', '/api/bots', {
    name: 'Bench',
    rate_limit_per_minute: 1000,
  });
  await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
  return bot.public_key;
}

interface Session {
  session_id: string;
  visitor_token: string;
}

function openSession(installation: Installation, publicKey: string): Promise<Session> {
  return call<Session>(installation, 'POST', `/api/public/bots/${publicKey}/sessions`, {});
}

interface Answer {
  /** From the request to the first bytes of the first event. */
  firstMs: number;
  events: number;
}

/** Reads the stream to its end. */
function ask({ apiUrl }: Installation, session: Session, agent: Agent): Promise<Answer> {
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
      let firstMs: number | undefined;
      let text = '';
      response.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        if (text.includes('\nevent: ')) firstMs ??= performance.now() - startedAt;
      });
      response.once('end', () =>
        resolve({ firstMs: firstMs ?? NaN, events: text.split('\nevent: ').length - 1 }),
      );
    });
    const startedAt = performance.now();
    asked.end(JSON.stringify({ content: 'What does a day pass cost?' }));
  });
}
