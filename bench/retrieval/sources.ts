import type { Embedder } from '../../adapters/embedding/embedder.ts';
import { createLogger } from '../../core/logger.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { VectorSearchRepository } from '../../repositories/knowledge/vector-search.repository.ts';
import { FullTextSearch } from '../../services/knowledge/search/full-text-search.ts';
import { createKnowledgeSearchLimits } from '../../services/knowledge/search/knowledge-search-limits.ts';
import { SearchService, type SearchHit } from '../../services/knowledge/search/search-service.ts';
import { VectorSearch } from '../../services/knowledge/search/vector-search.ts';

/** Number of passages that a search returns; several may come from one page. */
const PASSAGES = 12;

export interface Source {
  name: 'text' | 'vectors' | 'both';
  search(question: string, isStrict: boolean): Promise<SearchHit[]>;
}

/** Creates the searches that the bench compares: by words, by vectors, and by both. */
export function createSources(scope: OrgScope, botId: string, embedder: Embedder): Source[] {
  const source = (name: Source['name'], search: SearchService): Source => ({
    name,
    search: (query, isStrict) => search.findPassages(scope, botId, { query, limit: PASSAGES, isStrict }),
  });
  const { bots, limits, log, fullText, vectors } = createSearchDeps(embedder);
  return [
    source('text', new SearchService({ bots, limits, log, fullText })),
    source('vectors', new SearchService({ bots, limits, log, vectors })),
    source('both', createSearch(embedder)),
  ];
}

/** Creates the search by both words and embedding vectors. */
export const createSearch = (embedder: Embedder) => new SearchService(createSearchDeps(embedder));

function createSearchDeps(embedder: Embedder) {
  const limits = createKnowledgeSearchLimits({ databasePool: 4, knowledgeSearchSeconds: 30 });
  const log = createLogger('bench', 'warn');
  const vectors = new VectorSearch({
    embedder,
    vectors: new VectorSearchRepository(),
    limits,
    // Allow a long time to embed a question: a timeout on a busy machine must not fall back to full-text
    // search.
    settings: { ...loadSettings(process.env), embeddingQuestionMs: 30_000 },
    log,
  });
  return { bots: new BotRepository(), limits, log, fullText: new FullTextSearch(), vectors };
}
