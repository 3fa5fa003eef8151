import { toUnitLength, type Embedder, type Vector } from '../adapters/embedding/embedder.ts';
import { newId } from '../core/ids.ts';
import { createLogger } from '../core/logger.ts';
import { Database } from '../database/database.ts';
import type { OrgScope } from '../database/org-scope.ts';
import { createDataSource } from '../entities/data-source.ts';
import { Bot } from '../entities/bots/bot.entity.ts';
import { Document } from '../entities/knowledge/document.entity.ts';
import { EmbeddingQueueRepository } from '../repositories/knowledge/embedding-queue.repository.ts';
import { VectorSearchRepository } from '../repositories/knowledge/vector-search.repository.ts';
import { readAndChunk } from '../services/knowledge/ingestion/read-and-chunk.ts';
import { toSignBits } from '../services/knowledge/vectors/vector-bits.ts';
import { VectorIndexes } from '../services/knowledge/vectors/vector-indexes.ts';
import { createKnowledgeSearchLimits } from '../services/knowledge/search/knowledge-search-limits.ts';
import { VectorSearch } from '../services/knowledge/search/vector-search.ts';
import { createPgvector } from '../test/support/pgvector.ts';
import { readPages } from './retrieval/corpus.ts';
import { openEmbedder } from './retrieval/index-vectors.ts';
import { readQuestions } from './retrieval/questions.ts';
import { buildBot } from './support/bench-bot.ts';
import { percentile, roundTo, type Figure } from './support/figure.ts';
import type { Installation } from './support/installation.ts';
import { buildSuperuserUrl } from './support/statements.ts';

const CHUNKS = 100_000;
/**
 * Distance between the pages of the manuals that the bench uses: every fourth page. The bench mixes further
 * vectors from those of these pages.
 */
const PAGE_STEP = 4;
const QUESTION_STEP = 2;
const BATCH = 1000;
const NEAREST = 10;
/** Number of steps between 0 and 1 to which vector components are rounded. The steps are finer than half precision. */
const ROUNDING_STEPS = 1e5;

interface StoredVector {
  chunkId: string;
  vector: Vector;
}

/**
 * Measures how many of the ten nearest of 100,000 chunks a vector search finds, and how long the search
 * takes. Runs on plain PostgreSQL and with the extension `vector`. Vectors are mixed from the local model's
 * vectors of passages of manuals; the questions are real.
 */
export async function benchVectors(installation: Installation): Promise<Figure[]> {
  const { databaseUrl } = installation;
  const embedder = await openEmbedder();
  const questions = readQuestions()
    .map(({ question }) => question)
    .filter((_, index) => index % QUESTION_STEP === 0);
  const dataSource = await createDataSource({ databaseUrl, databasePool: 4 }).initialize();
  const db = new Database(dataSource);
  const scope = { orgId: newId(), db };
  try {
    const botId = await buildBot(scope);
    const stored = await storeVectors(scope, botId, embedder);
    await db.sql('VACUUM ANALYZE chunk_vectors');
    const nearest = await findNearestByQuestion(stored, questions, embedder);
    const ask = createSearcher(scope, botId, embedder);
    const figures = toVectorFigures('plain', 80, await measure(questions, nearest, ask));
    const database = new URL(databaseUrl).pathname.slice(1);
    if (!(await createPgvector(buildSuperuserUrl(installation, database)))) return figures;
    const indexes = new VectorIndexes({
      queue: new EmbeddingQueueRepository(),
      vectors: new VectorSearchRepository(),
    });
    const startedAt = performance.now();
    await indexes.ensure(db, { databaseUrl });
    const indexMs = performance.now() - startedAt;
    await db.sql('ANALYZE chunk_vectors');
    return [
      ...figures,
      {
        bench: 'vectors',
        figure: 'extension, index of 100,000',
        value: roundTo(indexMs / 1000, 0),
        unit: 's',
      },
      ...toVectorFigures('extension', 40, await measure(questions, nearest, ask)),
    ];
  } finally {
    await dataSource.destroy();
    await embedder.close();
  }
}

function createSearcher(scope: OrgScope, botId: string, embedder: Embedder) {
  const search = new VectorSearch({
    embedder,
    vectors: new VectorSearchRepository(),
    limits: createKnowledgeSearchLimits({ databasePool: 4, knowledgeSearchSeconds: 30 }),
    settings: { embeddingQuestionMs: 10_000, embeddingLanguages: undefined },
    log: createLogger('bench', 'warn'),
  });
  return async (query: string) =>
    (await search.find(scope, botId, { query, limit: NEAREST })).map(({ chunkId }) => chunkId);
}

/** Asks all questions twice and measures the second round, because the first embeds the questions and fills caches. */
async function measure(
  questions: string[],
  nearest: ReadonlyMap<string, ReadonlySet<string>>,
  ask: (question: string) => Promise<string[]>,
): Promise<{ recall: number; durations: number[] }> {
  for (const question of questions) await ask(question);
  const durations: number[] = [];
  let found = 0;
  for (const question of questions) {
    const startedAt = performance.now();
    const ids = await ask(question);
    durations.push(performance.now() - startedAt);
    found += ids.filter((id) => nearest.get(question)?.has(id)).length;
  }
  return { recall: found / (questions.length * NEAREST), durations };
}

function toVectorFigures(
  storage: string,
  maxMs: number,
  { recall, durations }: { recall: number; durations: number[] },
): Figure[] {
  const p95 = percentile(durations, 0.95);
  const figure = (name: string, value: number, unit: string) => ({
    bench: 'vectors',
    figure: `${storage}, ${name}`,
    value: roundTo(value, unit === 'ms' ? 1 : 3),
    unit,
  });
  return [
    { ...figure('recall@10', recall, 'of 1'), target: '≥ 0.95', ok: recall >= 0.95 },
    figure('p50', percentile(durations, 0.5), 'ms'),
    { ...figure('p95', p95, 'ms'), target: `≤ ${maxMs}`, ok: p95 <= maxMs },
  ];
}

async function findNearestByQuestion(stored: StoredVector[], questions: string[], embedder: Embedder) {
  const nearest = new Map<string, Set<string>>();
  for (const question of questions) {
    const questionVector = await embedder.embedQuestion(question, new AbortController().signal);
    const best = findNearest(questionVector, stored);
    nearest.set(question, new Set(best));
  }
  return nearest;
}

/** Finds the ten nearest vectors by comparing the question's vector with all of them. */
function findNearest(questionVector: Vector, stored: readonly StoredVector[]): string[] {
  const best: { chunkId: string; closeness: number }[] = [];
  for (const { chunkId, vector } of stored) {
    const closeness = computeDotProduct(vector, questionVector);
    if (best.length === NEAREST && closeness <= best[NEAREST - 1]!.closeness) continue;
    best.push({ chunkId, closeness });
    best.sort((a, b) => b.closeness - a.closeness).splice(NEAREST);
  }
  return best.map(({ chunkId }) => chunkId);
}

function computeDotProduct(a: Vector, b: Vector): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[index]!;
  return sum;
}

async function storeVectors(scope: OrgScope, botId: string, embedder: Embedder): Promise<StoredVector[]> {
  const { orgId, db } = scope;
  const queue = new EmbeddingQueueRepository();
  const real = await embedRealPages(embedder);
  const documentId = newId();
  await db
    .repository(Document)
    .insert({ id: documentId, orgId, botId, sourceType: 'raw_text', title: 'Bench' });
  await db.repository(Bot).update({ id: botId }, { indexedChunkCount: CHUNKS });
  const set = await queue.findOrInsertSet(scope, { id: newId(), botId, model: embedder.model });
  await queue.fixDimensions(scope, set.id, real[0]!.length);
  const stored: StoredVector[] = [];
  for (let at = 0; at < CHUNKS; at += BATCH) {
    const rows = Array.from({ length: BATCH }, (_, index) => ({
      chunkId: newId(),
      vector: mixVectors(real, at + index),
    }));
    await db.sql(
      `INSERT INTO chunks (id, org_id, bot_id, document_id, position, text, token_count, search_config, search)
       SELECT id, $1, $2, $3, $4 + row_number() OVER (), 'text', 1, 'simple', '' FROM unnest($5::uuid[]) AS id`,
      [orgId, botId, documentId, at, rows.map(({ chunkId }) => chunkId)],
    );
    await queue.insertVectors(
      scope,
      real[0]!.length,
      rows.map(({ chunkId, vector }) => ({
        chunkId,
        setId: set.id,
        part: 0,
        bits: toSignBits(vector),
        vector: Array.from(vector, (value) => Math.round(value * ROUNDING_STEPS) / ROUNDING_STEPS),
      })),
    );
    stored.push(...rows);
  }
  return stored;
}

async function embedRealPages(embedder: Embedder): Promise<Vector[]> {
  const vectors: Vector[] = [];
  for (const { id, bytes } of readPages().filter((_, index) => index % PAGE_STEP === 0)) {
    const source = { bytes, filename: id, mimeType: 'text/html' };
    let title = id;
    for await (const step of readAndChunk({ source, title: null, batchSize: 100 })) {
      if (step.kind === 'document') title = step.document.title || id;
      if (step.kind !== 'chunks') continue;
      const passages = step.chunks.map(({ headings, text }) => ({
        context: (headings[0] === title ? headings : [title, ...headings]).filter(Boolean).join('\n'),
        text,
      }));
      vectors.push(...(await embedder.embedPassages(passages, new AbortController().signal)).flat());
    }
  }
  return vectors;
}

/**
 * Returns the vectors of real passages first, then mixtures of two real vectors with a little noise; the same
 * in each run.
 */
function mixVectors(real: readonly Vector[], index: number): Vector {
  const a = real[index % real.length]!;
  if (index < real.length) return a;
  const b = real[Math.floor(hashToFraction(index * 31 + 7) * real.length)]!;
  const share = 0.5 + 0.4 * hashToFraction(index);
  return toUnitLength(
    Array.from(
      a,
      (value, at) => share * value + (1 - share) * b[at]! + 0.02 * (hashToFraction(index * 389 + at) - 0.5),
    ),
  );
}

function hashToFraction(seed: number): number {
  const value = Math.sin(seed * 12.9898 + 78.233) * 43758.5453;
  return value - Math.floor(value);
}
