import type { Bot } from '../../entities/bot.entity.ts';
import { inTransaction, type OrgScope } from '../../repositories/org-scope.ts';
import type { ScopedRepository } from '../../repositories/scoped.repository.ts';
import type { FullTextSearch } from './full-text-search.ts';
import { reciprocalRankFusion, type FusedCandidate } from './rank-fusion.ts';

/** The ways in which a chunk can be found. */
export const matchedBy = ['text'] as const;
export type MatchedBy = (typeof matchedBy)[number];

export interface SearchQuery {
  /** A question in a person's words: nothing in it is an operator. */
  query: string;
  limit: number;
  /** Only documents that carry one of these; all when empty. */
  tags?: string[];
}

export interface SearchHit {
  documentId: string;
  chunkId: string;
  title: string;
  headings: string[];
  sourceUrl: string | null;
  text: string;
  /** From 0 to 1: how much of what the question is about the chunk says, and how prominently. */
  score: number;
  matchedBy: MatchedBy[];
}

/** Candidates that each source hands to the fusion. */
const CANDIDATES = 40;

const HITS = `
  SELECT c.id AS "chunkId", c.document_id AS "documentId", d.title, c.headings, d.source_url AS "sourceUrl", c.text
  FROM chunks c JOIN documents d ON d.id = c.document_id
  WHERE c.id = ANY($1) AND c.org_id = $2`;

/** Finds the passages of a bot's documents that a question is about. */
export class SearchService {
  readonly #bots: ScopedRepository<Bot>;
  readonly #fullText: FullTextSearch;

  constructor({ bots, fullText }: { bots: ScopedRepository<Bot>; fullText: FullTextSearch }) {
    this.#bots = bots;
    this.#fullText = fullText;
  }

  /**
   * The best passages, best first; none where nothing is relevant.
   * @throws AppError `forbidden` for another workspace's bot, `not_found` for none
   */
  search(scope: OrgScope, botId: string, query: SearchQuery): Promise<SearchHit[]> {
    return inTransaction(scope, async (inside) => {
      await this.#bots.get(inside, botId);
      const limit = Math.max(query.limit, CANDIDATES);
      const candidates = await this.#fullText.find(inside, botId, { ...query, limit });
      const fused = reciprocalRankFusion<MatchedBy>([{ source: 'text', candidates }]);
      return this.#load(inside, fused.slice(0, query.limit));
    });
  }

  async #load({ db, orgId }: OrgScope, candidates: FusedCandidate<MatchedBy>[]): Promise<SearchHit[]> {
    if (candidates.length === 0) return [];
    const rows = await db.sql<Omit<SearchHit, 'score' | 'matchedBy'>>(HITS, [
      candidates.map(({ chunkId }) => chunkId),
      orgId,
    ]);
    const byId = new Map(rows.map((row) => [row.chunkId, row]));
    return candidates.flatMap(({ chunkId, score, matchedBy }) => {
      const row = byId.get(chunkId);
      return row ? [{ ...row, score, matchedBy }] : [];
    });
  }
}
