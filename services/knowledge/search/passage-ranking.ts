import type { Reranker } from '../../../adapters/reranking/reranker.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Passage } from '../../../repositories/knowledge/chunk-search.sql.ts';

export interface PassageRankingDeps {
  reranker: Reranker;
  /** Number of best passages of each search that the model reranks. */
  passages: number;
  log: Logger;
}

/** How long searches skip reranking after the model has failed. */
const PAUSE_MS = 5000;

/** Reranks the best passages of a search with a model. If the model fails, the passages keep their order. */
export class PassageRanking {
  readonly passages: number;
  readonly #reranker: Reranker;
  readonly #log: Logger;
  #pausedUntil = 0;

  constructor({ reranker, passages, log }: PassageRankingDeps) {
    this.passages = passages;
    this.#reranker = reranker;
    this.#log = log;
  }

  async rerank<P extends Passage>(question: string, passages: readonly P[]): Promise<P[]> {
    const best = passages.slice(0, this.passages);
    if (best.length < 2 || performance.now() < this.#pausedUntil) return [...passages];
    try {
      const order = await this.#reranker.rank(question, best.map(toPassageText));
      return [...order.map((index) => best[index]!), ...passages.slice(this.passages)];
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_MS;
      this.#log.warn({ err: error }, 're-ranking failed; passages keep the order of the search');
      return [...passages];
    }
  }
}

function toPassageText({ title, headings, text }: Passage): string {
  const above = headings[0] === title ? headings : [title, ...headings];
  return [...above.filter(Boolean), text].join('\n');
}
