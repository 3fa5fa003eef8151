import { defineOperation } from '../http/operation.ts';
import type { NearPassage, SearchHit } from '../../services/knowledge/search/search-service.ts';
import { KnowledgeParams } from './knowledge.schemas.ts';
import {
  KnowledgeSearchRequest,
  KnowledgeSearchResponse,
  type KnowledgeNearHit,
  type KnowledgeSearchHit,
} from './search.schemas.ts';

export const searchKnowledge = defineOperation({
  id: 'searchKnowledge',
  readsContent: true,
  method: 'POST',
  path: '/api/bots/{bot_id}/knowledge/search',
  tag: 'knowledge',
  auth: 'member',
  scope: 'knowledge:read',
  role: 'viewer',
  params: KnowledgeParams,
  body: KnowledgeSearchRequest,
  responses: { 200: KnowledgeSearchResponse },
  summary: 'The best chunks with scores and citations, as the bot itself would see them.',
  // Searches before the transaction, which would occupy a database connection while the search waits for its
  // turn.
  prepare: async ({ ctx, params, body }, { knowledge: { search } }) => {
    const query = { ...body, limit: body.limit ?? 6 };
    const hits = await search.search(ctx, params.bot_id, query);
    const searchedFor = { searched_for: body.query };
    if (hits.length > 0) return { items: hits.map(presentHit), ...searchedFor };
    const nearest = await search.findNearest(ctx, params.bot_id, query);
    if (nearest.passages.length === 0) return { items: [], ...searchedFor };
    return {
      items: [],
      nearest: nearest.passages.map(presentNearHit),
      relevance_line: nearest.line,
      ...searchedFor,
    };
  },
  handle: async ({ prepared }) => prepared,
});

function presentHit(hit: SearchHit): KnowledgeSearchHit {
  return {
    document_id: hit.documentId,
    chunk_id: hit.chunkId,
    title: hit.title,
    source_url: hit.sourceUrl,
    text: hit.text,
    score: hit.score,
    matched_by: hit.matchedBy,
  };
}

function presentNearHit(passage: NearPassage): KnowledgeNearHit {
  return { ...presentHit(passage), relevance: passage.relevance };
}
