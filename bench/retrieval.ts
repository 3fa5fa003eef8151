import { writeFileSync } from 'node:fs';
import type { Embedder } from '../adapters/embedding/embedder.ts';
import { newId } from '../core/ids.ts';
import { createLogger } from '../core/logger.ts';
import { loadSettings } from '../core/settings/settings.ts';
import { Database } from '../database/database.ts';
import type { OrgScope } from '../database/org-scope.ts';
import { createDataSource } from '../entities/data-source.ts';
import { BotRepository } from '../repositories/bots/bot.repository.ts';
import { VectorSearchRepository } from '../repositories/knowledge/vector-search.repository.ts';
import { FullTextSearch } from '../services/knowledge/search/full-text-search.ts';
import { createKnowledgeSearchLimits } from '../services/knowledge/search/knowledge-search-limits.ts';
import { SearchService, type SearchHit } from '../services/knowledge/search/search-service.ts';
import { VectorSearch } from '../services/knowledge/search/vector-search.ts';
import { indexVectors, openEmbedder } from './retrieval/index-vectors.ts';
import { readPages } from './retrieval/corpus.ts';
import { indexPages } from './retrieval/index-pages.ts';
import { checkLabels, readQuestions } from './retrieval/questions.ts';
import { findRank, computeScores, type SearchedQuestion } from './retrieval/score.ts';
import { buildBot } from './support/bench-bot.ts';
import type { Figure } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

/** Passages of a search; several may come from one page. */
const PASSAGES = 12;

interface Source {
  name: 'text' | 'vectors' | 'both';
  search(question: string, isStrict: boolean): Promise<SearchHit[]>;
}

/** Measures how often each source finds the right page of real manuals. */
export async function benchRetrieval({ databaseUrl }: Pick<Installation, 'databaseUrl'>): Promise<Figure[]> {
  const pages = readPages();
  const questions = readQuestions();
  checkLabels(questions, pages);
  const embedder = await openEmbedder();
  const dataSource = await createDataSource({ databaseUrl, databasePool: 4 }).initialize();
  const db = new Database(dataSource);
  const scope = { orgId: newId(), db };
  try {
    const botId = await buildBot(scope);
    const pageByDocument = await indexPages(scope, botId, pages);
    await indexVectors(scope, embedder);
    await db.sql('ANALYZE chunks, search_terms, chunk_vectors');
    const figures: Figure[] = [];
    for (const source of createSources(scope, botId, embedder)) {
      const searched: SearchedQuestion[] = [];
      for (const question of questions) {
        const hits = await source.search(question.question, false);
        const strict = await source.search(question.question, true);
        const found = [...new Set(hits.map(({ documentId }) => pageByDocument.get(documentId)!))];
        searched.push({ question, found, isRefusedStrictly: strict.length === 0 });
      }
      listMisses(source.name, searched);
      for (const half of ['tune', 'held-back'] as const) {
        const part = searched.filter(({ question }) => question.half === half);
        figures.push(...computeScores(source.name, half, part));
      }
    }
    return figures;
  } finally {
    await db.sql('DELETE FROM chunks WHERE org_id = $1', [scope.orgId]);
    await db.sql('DELETE FROM orgs WHERE id = $1', [scope.orgId]);
    await dataSource.destroy();
    await embedder.close();
  }
}

function createSources(scope: OrgScope, botId: string, embedder: Embedder): Source[] {
  const bots = new BotRepository();
  const fullText = new FullTextSearch();
  const { embeddingRelevance: relevantFrom, embeddingStrictRelevance: strictlyFrom } = loadSettings({});
  const lines = { relevantFrom, strictlyFrom };
  const limits = createKnowledgeSearchLimits({ databasePool: 4, knowledgeSearchSeconds: 30 });
  const log = createLogger('bench', 'warn');
  const vectors = new VectorSearch({
    embedder,
    vectors: new VectorSearchRepository(),
    limits,
    // A timeout on a busy machine must not fall back to full-text search.
    settings: { ...loadSettings(process.env), embeddingQuestionMs: 10_000 },
    log,
  });
  const source = (name: Source['name'], search: SearchService): Source => ({
    name,
    search: (query, isStrict) => search.findPassages(scope, botId, { query, limit: PASSAGES, isStrict }),
  });
  return [
    source('text', new SearchService({ bots, limits, log, fullText })),
    source('vectors', new SearchService({ bots, limits, log, vectors, lines })),
    source('both', new SearchService({ bots, limits, log, fullText, vectors, lines })),
  ];
}

/** Appends each question of the tuning half whose page did not rank first to the file that `BENCH_MISSES` names. */
function listMisses(source: string, searched: readonly SearchedQuestion[]): void {
  const file = process.env['BENCH_MISSES'];
  if (!file) return;
  const missed = searched
    .filter(({ question }) => question.half === 'tune')
    .filter((row) => (row.question.kind === 'unanswered' ? row.found.length > 0 : findRank(row) !== 1))
    .map((row) => ({ source, rank: findRank(row), ...row.question, found: row.found.slice(0, 3) }));
  writeFileSync(file, `${missed.map((miss) => JSON.stringify(miss)).join('\n')}\n`, { flag: 'a' });
}
