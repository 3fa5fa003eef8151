import type { Reranker } from '../../../adapters/reranking/reranker.ts';
import type { Logger } from '../../../core/logger.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { Passage } from '../../../repositories/knowledge/chunk-search.sql.ts';
import { findPayerId } from '../../requests/payer-queue.ts';
import { ModelPauses } from './model-pauses.ts';

export interface PassageRankingDeps {
  reranker: Reranker;
  /** Number of each search's best passages that the model reranks. */
  passages: number;
  log: Logger;
}

/**
 * Reranks the best passages of a search with a model. If the model fails, the passages keep their order, and the
 * payer's searches skip reranking for a while.
 */
export class PassageRanking {
  readonly passages: number;
  readonly #reranker: Reranker;
  readonly #log: Logger;
  readonly #pauses = new ModelPauses();

  constructor({ reranker, passages, log }: PassageRankingDeps) {
    this.passages = passages;
    this.#reranker = reranker;
    this.#log = log;
  }

  async rerank<P extends Passage>(scope: OrgScope, question: string, passages: readonly P[]): Promise<P[]> {
    const best = passages.slice(0, this.passages);
    const payerId = await findPayerId(scope);
    if (best.length < 2 || this.#pauses.isPaused(payerId)) return [...passages];
    try {
      const order = await this.#reranker.rank(question, best.map(toPassageText));
      this.#pauses.end(payerId);
      return [...order.map((index) => best[index]!), ...passages.slice(this.passages)];
    } catch (error) {
      this.#pauses.pauseFor(payerId);
      this.#log.warn({ err: error }, 're-ranking failed; passages keep the order of the search');
      return [...passages];
    }
  }
}

function toPassageText({ title, headings, text }: Passage): string {
  const above = headings[0] === title ? headings : [title, ...headings];
  return [...above.filter(Boolean), text].join('\n');
}
