import { subtractCost, readCost, type Cost } from '../support/cost.ts';
import type { Figure } from '../support/figure.ts';
import { call } from '../support/installation.ts';
import { pollWithin } from '../support/poll-within.ts';
import { buildArticlePage } from './article-page.ts';
import {
  buildMinBulkFigure,
  buildMaxBulkFigure,
  createAll,
  createDocumentBot,
  countHistoryEvents,
  runAtOnce,
  buildBulkFigure,
  countDocumentStates,
  type Scene,
  type DocumentBot,
} from './scene.ts';

const SENTENCES = 300;
/** Largest number of pages that the bench's website lists in one sitemap. */
const PAGES = 200;
const WARM_UP = 20;
const TIMEOUT_MS = 120_000;

interface Run {
  name: string;
  noun: string;
  documents: number;
  perSecond: number;
  cpuMs?: number;
  create(scene: Scene, bot: DocumentBot, documents: number): Promise<void>;
}

const runs: readonly Run[] = [
  {
    name: 'one-sentence documents',
    noun: 'document',
    documents: SENTENCES,
    perSecond: 25,
    cpuMs: 60,
    create: createSentences,
  },
  { name: 'pages of 14 KB by a sitemap', noun: 'page', documents: PAGES, perSecond: 15, create: createSite },
  {
    name: 'pages of 14 KB uploaded one by one',
    noun: 'page',
    documents: PAGES,
    perSecond: 15,
    cpuMs: 90,
    create: uploadPages,
  },
];

/** Measures how many small documents a second become searchable, and the cost of each. */
export async function benchManyDocuments(scene: Scene): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const run of runs) figures.push(...(await measure(scene, run)));
  return figures;
}

async function measure(
  scene: Scene,
  { name, noun, documents, perSecond, cpuMs, create }: Run,
): Promise<Figure[]> {
  const { installation, db } = scene;
  await createAndWait(scene, await createDocumentBot(installation), WARM_UP, create);
  const bot = await createDocumentBot(installation);
  const before = await readCost(installation, db);
  const startedAt = performance.now();
  await createAndWait(scene, bot, documents, create);
  const seconds = (performance.now() - startedAt) / 1000;
  const cost = subtractCost(before, await readCost(installation, db));
  const events = await countHistoryEvents(scene, bot);
  const total = (cost.apiMs + cost.workerMs + cost.temporalMs + cost.postgresMs) / documents;
  const cpu = `${name}: CPU a ${noun}`;
  return [
    buildMinBulkFigure(name, documents / seconds, perSecond, `${noun}s/s`),
    cpuMs === undefined ? buildBulkFigure(cpu, total, 'ms') : buildMaxBulkFigure(cpu, total, cpuMs, 'ms'),
    ...listCostParts(cost).map(([part, ms]) => buildBulkFigure(`${cpu}, ${part}`, ms / documents, 'ms')),
    buildBulkFigure(`${name}: commits a ${noun}`, cost.commits / documents, 'commits'),
    buildBulkFigure(`${name}: events in Temporal's histories a ${noun}`, events / documents, 'events'),
  ];
}

function listCostParts({ apiMs, workerMs, temporalMs, postgresMs }: Cost): [string, number][] {
  return [
    ['API', apiMs],
    ['worker', workerMs],
    ['Temporal', temporalMs],
    ['PostgreSQL', postgresMs],
  ];
}

async function createAndWait(
  scene: Scene,
  bot: DocumentBot,
  documents: number,
  create: Run['create'],
): Promise<void> {
  await create(scene, bot, documents);
  const isDone = await pollWithin(TIMEOUT_MS, async () => {
    const { pending = 0, processing = 0, failed = 0 } = await countDocumentStates(scene, bot);
    if (failed > 0) throw new Error(`${failed} documents failed.`);
    return pending + processing === 0;
  });
  if (!isDone) throw new Error(`Not all documents were done after ${TIMEOUT_MS} ms.`);
}

function createSentences(_scene: Scene, bot: DocumentBot, documents: number): Promise<void> {
  const bodies = Array.from({ length: documents }, (_, number) => ({
    source_type: 'raw_text',
    raw_text: `The key of locker ${number} is kept at the desk of the harbour office until noon.`,
  }));
  return createAll(bot, bodies);
}

/** Uploads web pages as documents, eight at a time. */
function uploadPages(_scene: Scene, { as, knowledge }: DocumentBot, documents: number): Promise<void> {
  const pages = Array.from({ length: documents }, (_, number) => number).values();
  return runAtOnce(8, async () => {
    for (const number of pages) {
      const body = new FormData();
      body.set(
        'file',
        new Blob([buildArticlePage(`/${number}`)], { type: 'text/html' }),
        `page-${number}.html`,
      );
      const headers = { authorization: `Bearer ${as.apiKey}` };
      const response = await fetch(`${as.apiUrl}${knowledge}/upload`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`An upload returned ${response.status}.`);
      await response.arrayBuffer();
    }
  });
}

async function createSite(
  { site }: Scene,
  { as, knowledge, botId }: DocumentBot,
  documents: number,
): Promise<void> {
  const url = `${site}/${botId}/sitemap.xml?${documents}`;
  await call(as, 'POST', knowledge, { source_type: 'sitemap', url, max_pages: documents });
}
