import { newId } from '../core/ids.ts';
import { createLogger } from '../core/logger.ts';
import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { Document } from '../entities/knowledge/document.entity.ts';
import { BotRepository } from '../repositories/bots/bot.repository.ts';
import { inTransaction, type OrgScope } from '../database/org-scope.ts';
import { ChunkIndex } from '../services/knowledge/ingestion/chunk-index.ts';
import { FullTextSearch } from '../services/knowledge/search/full-text-search.ts';
import { createKnowledgeSearchLimits } from '../services/knowledge/search/knowledge-search-limits.ts';
import { SearchService } from '../services/knowledge/search/search-service.ts';
import { buildBot } from './support/bench-bot.ts';
import { buildQuestions, readTexts } from './support/installed-texts.ts';
import { percentile, roundTo, type Figure } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

const CHUNKS = 100_000;
const CHUNKS_PER_DOCUMENT = 20;
const CHUNKS_PER_LARGE_DOCUMENT = 1050;
const CONCURRENCY = 8;

/** Measures searches of a bot with 100,000 chunks of real text: sources and documents of the installed packages. */
export async function benchSearch({ databaseUrl }: Pick<Installation, 'databaseUrl'>): Promise<Figure[]> {
  const dataSource = await createDataSource({ databaseUrl, databasePool: CONCURRENCY }).initialize();
  const db = new Database(dataSource);
  const scope = { orgId: newId(), db };
  try {
    const botId = await buildBot(scope);
    const texts = readTexts(CHUNKS);
    const indexMs = await indexAll(scope, botId, texts);
    await db.sql('ANALYZE chunks, search_terms');
    const questions = buildQuestions(texts);
    const service = new SearchService({
      bots: new BotRepository(),
      limits: createKnowledgeSearchLimits({ databasePool: 4 * CONCURRENCY, knowledgeSearchSeconds: 30 }),
      log: createLogger('bench', 'warn'),
      fullText: new FullTextSearch(),
    });
    const ask = (query: string) => service.search(scope, botId, { query, limit: 6 });
    const cold = await measure(questions, 1, ask);
    const warm = await measure(questions, 1, ask);
    const busy = await measure(questions, CONCURRENCY, ask);
    const p95 = percentile(warm, 0.95);
    return [
      { ...buildSearchFigure('index 2,000,000 characters', indexMs), target: '≤ 2000', ok: indexMs <= 2000 },
      buildSearchFigure('first run, p95', percentile(cold, 0.95)),
      buildSearchFigure('p50', percentile(warm, 0.5)),
      { ...buildSearchFigure('p95', p95), target: '≤ 40', ok: p95 <= 40 },
      buildSearchFigure('p99', percentile(warm, 0.99)),
      buildSearchFigure(`p95, ${CONCURRENCY} at a time`, percentile(busy, 0.95)),
    ];
  } finally {
    await db.sql('DELETE FROM chunks WHERE org_id = $1', [scope.orgId]);
    await db.sql('DELETE FROM orgs WHERE id = $1', [scope.orgId]);
    await dataSource.destroy();
  }
}

function buildSearchFigure(name: string, value: number): Figure {
  return { bench: 'search', figure: name, value: roundTo(value, 1), unit: 'ms' };
}

async function measure(questions: string[], concurrency: number, ask: (query: string) => Promise<unknown>) {
  const durations: number[] = [];
  const remaining = questions.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const question of remaining) {
        const startedAt = performance.now();
        await ask(question);
        durations.push(performance.now() - startedAt);
      }
    }),
  );
  return durations;
}

/** Indexes all texts in one large and many small documents; returns the milliseconds for the large document. */
async function indexAll(scope: OrgScope, botId: string, texts: string[]): Promise<number> {
  const startedAt = performance.now();
  await indexDocument(scope, botId, texts.slice(0, CHUNKS_PER_LARGE_DOCUMENT));
  const elapsedMs = performance.now() - startedAt;
  for (let at = CHUNKS_PER_LARGE_DOCUMENT; at < texts.length; at += CHUNKS_PER_DOCUMENT) {
    await indexDocument(scope, botId, texts.slice(at, at + CHUNKS_PER_DOCUMENT));
  }
  return elapsedMs;
}

/** Indexes a document that consists of the given passages. */
export async function indexDocument(scope: OrgScope, botId: string, texts: string[]): Promise<void> {
  const documentId = newId();
  const title = extractHeading(texts[0] ?? '');
  const chunks = texts.map((text, position) => ({
    position,
    headings: [extractHeading(text)],
    text,
    tokenCount: 500,
    searchText: text,
  }));
  const batches = Array.from({ length: Math.ceil(chunks.length / 100) }, (_, index) =>
    chunks.slice(index * 100, index * 100 + 100),
  );
  await inTransaction(scope, async (inside) => {
    await inside.db
      .repository(Document)
      .insert({ id: documentId, orgId: scope.orgId, botId, sourceType: 'raw_text', title });
    await new ChunkIndex().replaceChunks(inside, { botId, documentId, title }, batches, 'english');
  });
}

const extractHeading = (text: string) => text.split('\n', 1)[0]!.slice(0, 60);
