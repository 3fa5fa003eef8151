import { setTimeout as sleep } from 'node:timers/promises';
import { mapInBatches } from '../test/support/map-in-batches.ts';
import { QuestionSocket } from './support/question-socket.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';

/** Numbers of visitors who ask at the same moment, with the maximum p95 time to the first event of their answers. */
const CROWDS = [
  { streams: 100, limitMs: 100, warmUpRounds: 3, rounds: 5 },
  { streams: 500, limitMs: 150, warmUpRounds: 3, rounds: 5 },
];
const MIN_EVENTS_PER_SECOND = 2500;

/** Pause of visitors before the question, in milliseconds, during which the events of their sessions are delivered. */
const READING_MS = 300;

const QUESTION = JSON.stringify({ content: 'What does a day pass cost?' });

/**
 * Measures the answer streams of many visitors who ask at the same moment. The stand-in for a language model
 * answers at once, so the result is Parley's own time.
 */
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

async function measure(installation: Installation, crowd: (typeof CROWDS)[number]): Promise<Figure[]> {
  const connections = await Promise.all(
    Array.from({ length: crowd.streams }, () => QuestionSocket.open(installation.apiUrl)),
  );
  const rounds: Round[] = [];
  for (let round = 0; round < crowd.warmUpRounds + crowd.rounds; round += 1)
    rounds.push(await measureRound(installation, connections));
  for (const connection of connections) connection.close();
  return toStreamFigures(rounds.slice(crowd.warmUpRounds), crowd);
}

interface Round {
  p50Ms: number;
  p95Ms: number;
  eventsPerSecond: number;
}

async function measureRound(
  installation: Installation,
  connections: readonly QuestionSocket[],
): Promise<Round> {
  const publicKey = await createStreamBot(installation);
  const visitors = await mapInBatches(connections, 50, async (connection) => ({
    connection,
    session: await openSession(installation, publicKey),
  }));
  await sleep(READING_MS);
  const startedAt = performance.now();
  const answers = await Promise.all(
    visitors.map(({ connection, session: { session_id: id, visitor_token: token } }) =>
      connection.ask(`/api/public/sessions/${id}/messages/stream`, token, QUESTION),
    ),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const latencies = answers.map(({ firstEventMs }) => firstEventMs);
  return {
    p50Ms: median(latencies),
    p95Ms: percentile(latencies, 0.95),
    eventsPerSecond: answers.reduce((sum, { events }) => sum + events, 0) / seconds,
  };
}

/** Computes the median of each figure over the rounds. */
function toStreamFigures(rounds: readonly Round[], { streams, limitMs }: (typeof CROWDS)[number]): Figure[] {
  const over = (figure: keyof Round) => roundTo(median(rounds.map((round) => round[figure])), 1);
  const buildStreamFigure = (name: string, value: number, unit: string): Figure => ({
    bench: 'streams',
    figure: `${streams} at once: ${name}`,
    value,
    unit,
  });
  const [p95, rate] = [over('p95Ms'), over('eventsPerSecond')];
  return [
    buildStreamFigure('time to first event, p50', over('p50Ms'), 'ms'),
    {
      ...buildStreamFigure('time to first event, p95', p95, 'ms'),
      target: `≤ ${limitMs} ms`,
      ok: p95 <= limitMs,
    },
    {
      ...buildStreamFigure('events a second', rate, '1/s'),
      ...(streams >= 500 && { target: `≥ ${MIN_EVENTS_PER_SECOND}`, ok: rate >= MIN_EVENTS_PER_SECOND }),
    },
  ];
}

/** Creates a bot for each round, since a bot accepts at most a thousand messages a minute. */
async function createStreamBot(installation: Installation): Promise<string> {
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
