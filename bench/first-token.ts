import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bot } from '../entities/bots/bot.entity.ts';
import type { Database } from '../database/database.ts';
import { QuestionSocket, type StreamedAnswer } from './support/question-socket.ts';
import { subtractCost, readCost, type Cost } from './support/cost.ts';
import { median, percentile, roundTo, type Figure } from './support/figure.ts';
import { call, startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';
import { withDatabase } from './support/people.ts';
import { countExecutedStatements } from './support/statements.ts';
import { pollWithin } from './support/poll-within.ts';

const DOCUMENTS = [
  'rider-handbook.pdf',
  'prices-and-memberships.docx',
  'refunds-and-damage.md',
  'stations.html',
];
const ANSWERS_COUNTED = 20;
const INDEXING_MS = 120_000;

/** Questions that visitors ask a bot; the bot's documents have a passage about each. */
const QUESTIONS = [
  'What does a day pass cost?',
  'What does error code M22 mean?',
  'How do I get my money back after a canceled ride?',
  'Where is the station at the harbour?',
  'The motor is too hot, what shall I do?',
  'Is there a membership for students?',
];
const ANSWER =
  'The rider handbook says that the motor is too hot when this code shows on the display [1]. Ride in Eco for ten minutes, or let the bike stand in the shade until the light goes out.';

/** Measured runs. Each visitor asks the next question as soon as the answer to the previous question is complete. */
const RUNS = [
  { visitors: 1, answersEach: 40, rounds: 3, name: 'one conversation' },
  { visitors: 20, answersEach: 20, rounds: 3, name: 'twenty at once' },
];
const LIMITS = { one: { p50Ms: 20 }, twenty: { p95Ms: 150, perSecond: 100 } };
/** Number of unmeasured rounds that compile the code and open the connections. */
const WARM_UP_ROUNDS = 1;
/**
 * Pause of visitors before the first question, in milliseconds, during which the events of their sessions are
 * delivered.
 */
const READING_MS = 300;

/**
 * Measures the time from a visitor's message to the first text of its answer. The stand-in for a language
 * model answers at once, so the result is Parley's own time.
 */
export async function benchFirstToken(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts', {}, [ANSWER]);
  const installation = await startInstallation({
    PARLEY_MODEL_BASE_URL: model.line,
    sessionSharePercent: 100,
    addressSharePercent: 100,
  });
  try {
    return await withDatabase(installation, async (db) => {
      const figures: Figure[] = [];
      for (const documents of [DOCUMENTS, []]) {
        const { publicKey } = await createIndexedBot(installation, db, documents);
        const kind = documents.length > 0 ? 'with documents' : 'without';
        for (const run of RUNS) figures.push(...(await measure({ installation, db, publicKey, kind }, run)));
      }
      return figures;
    });
  } finally {
    await installation.stop();
    model.stop();
  }
}

interface Scene {
  installation: Installation;
  db: Database;
  publicKey: string;
  kind: string;
}

async function measure(scene: Scene, run: (typeof RUNS)[number]): Promise<Figure[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + run.rounds; round += 1) rounds.push(await runOnce(scene, run));
  const statements = run.visitors === 1 ? [await countStatements(scene)] : [];
  return [...toAnswerFigures(rounds.slice(WARM_UP_ROUNDS), scene, run), ...statements];
}

interface Round {
  p50Ms: number;
  p95Ms: number;
  perSecond: number;
  /** Cost of one answer. */
  cost: Cost;
}

async function runOnce(
  { installation, db, publicKey }: Scene,
  { visitors: count, answersEach }: (typeof RUNS)[number],
): Promise<Round> {
  const visitors = await Promise.all(
    Array.from({ length: count }, () => openSession(installation, publicKey)),
  );
  await sleep(READING_MS);
  const before = await readCost(installation, db);
  const startedAt = performance.now();
  const answers = (
    await Promise.all(visitors.map((visitor, index) => visitor.ask(answersEach, index)))
  ).flat();
  const seconds = (performance.now() - startedAt) / 1000;
  const cost = subtractCost(before, await readCost(installation, db));
  for (const visitor of visitors) visitor.close();
  const latencies = answers.map(({ firstTextMs }) => firstTextMs);
  return {
    p50Ms: median(latencies),
    p95Ms: percentile(latencies, 0.95),
    perSecond: answers.length / seconds,
    cost: Object.fromEntries(
      Object.entries(cost).map(([part, value]) => [part, value / answers.length]),
    ) as unknown as Cost,
  };
}

/** @param documents demo files from which the bot answers */
async function createIndexedBot(
  installation: Installation,
  db: Database,
  documents: readonly string[],
): Promise<{ publicKey: string }> {
  const bot = await call<{ id: string; public_key: string }>(installation, 'POST', '/api/bots', {
    name: 'Bench',
  });
  await call(installation, 'PATCH', `/api/bots/${bot.id}`, { status: 'active' });
  // Sets the bot's rate limit in the database, because the API accepts no limit as high.
  await db.repository(Bot).update({ id: bot.id }, { rateLimitPerMinute: 1_000_000 });
  const ids = await Promise.all(documents.map((name) => upload(installation, bot.id, name)));
  const isIndexed = await pollWithin(INDEXING_MS, async () => {
    const states = await Promise.all(
      ids.map((id) =>
        call<{ status: string }>(installation, 'GET', `/api/bots/${bot.id}/knowledge/${id}/status`),
      ),
    );
    return states.every(({ status }) => status === 'indexed');
  });
  if (!isIndexed) throw new Error('The documents were not indexed in time.');
  return { publicKey: bot.public_key };
}

async function upload({ apiUrl, apiKey }: Installation, botId: string, name: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([readFileSync(`demo/documents/${name}`)]), name);
  const response = await fetch(`${apiUrl}/api/bots/${botId}/knowledge/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: form,
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}

interface Asker {
  /** Asks a bot `count` questions one after the other, starting with the question at `startIndex`. */
  ask(count: number, startIndex: number): Promise<StreamedAnswer[]>;
  close(): void;
}

async function openSession(installation: Installation, publicKey: string): Promise<Asker> {
  const { session_id: id, visitor_token: token } = await call<{ session_id: string; visitor_token: string }>(
    installation,
    'POST',
    `/api/public/bots/${publicKey}/sessions`,
    {},
  );
  const socket = await QuestionSocket.open(installation.apiUrl);
  return {
    ask: async (count, startIndex) => {
      const answers: StreamedAnswer[] = [];
      for (let turn = startIndex; turn < startIndex + count; turn += 1) {
        const question = JSON.stringify({ content: QUESTIONS[turn % QUESTIONS.length] });
        answers.push(await socket.ask(`/api/public/sessions/${id}/messages/stream`, token, question));
      }
      return answers;
    },
    close: () => socket.close(),
  };
}

async function countStatements(scene: Scene): Promise<Figure> {
  const { installation, db } = scene;
  const visitor = await openSession(installation, scene.publicKey);
  const counts = await countExecutedStatements(
    installation,
    db,
    async () => void (await visitor.ask(ANSWERS_COUNTED, 0)),
  );
  visitor.close();
  if (process.env['BENCH_STATEMENTS'])
    for (const [statement, count] of counts)
      process.stderr.write(`${count / ANSWERS_COUNTED}\t${statement}\n`);
  const sum = [...counts.values()].reduce((all, count) => all + count, 0);
  return buildAnswerFigure(scene, 'one conversation: statements an answer', sum / ANSWERS_COUNTED, '');
}

/** Computes the median of each figure over the rounds. */
function toAnswerFigures(
  rounds: readonly Round[],
  scene: Scene,
  { visitors, name }: (typeof RUNS)[number],
): Figure[] {
  const takeMedian = (of: (round: Round) => number) => median(rounds.map(of));
  const p50 = takeMedian(({ p50Ms }) => p50Ms);
  const p95 = takeMedian(({ p95Ms }) => p95Ms);
  const perSecond = takeMedian((round) => round.perSecond);
  const isAlone = visitors === 1;
  const { p50Ms: max50Ms } = LIMITS.one;
  const { p95Ms: max95Ms, perSecond: minPerSecond } = LIMITS.twenty;
  return [
    {
      ...buildAnswerFigure(scene, `${name}: time to first token, p50`, p50, 'ms'),
      ...(isAlone && { target: `≤ ${max50Ms} ms`, ok: p50 <= max50Ms }),
    },
    {
      ...buildAnswerFigure(scene, `${name}: time to first token, p95`, p95, 'ms'),
      ...(!isAlone && { target: `≤ ${max95Ms} ms`, ok: p95 <= max95Ms }),
    },
    {
      ...buildAnswerFigure(scene, `${name}: answers a second`, perSecond, '1/s'),
      ...(!isAlone && { target: `≥ ${minPerSecond}`, ok: perSecond >= minPerSecond }),
    },
    ...(['apiMs', 'workerMs', 'temporalMs', 'postgresMs'] as const).map((part) =>
      buildAnswerFigure(
        scene,
        `${name}: CPU an answer, ${part.slice(0, -2)}`,
        takeMedian(({ cost }) => cost[part]),
        'ms',
      ),
    ),
    buildAnswerFigure(
      scene,
      `${name}: commits an answer`,
      takeMedian(({ cost }) => cost.commits),
      '',
    ),
  ];
}

function buildAnswerFigure({ kind }: Scene, name: string, value: number, unit: string): Figure {
  return { bench: 'first-token', figure: `${kind}, ${name}`, value: roundTo(value, 1), unit };
}
