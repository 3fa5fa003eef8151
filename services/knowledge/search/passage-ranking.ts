import type { Reranker } from '../../../adapters/reranking/reranker.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Passage } from '../../../repositories/knowledge/chunk-search.sql.ts';

export interface PassageRankingDeps {
  reranker: Reranker;
  /** How many are handed over. */
  passages: number;
  log: Logger;
}

/** After a failure, nobody waits for it for so long. */
const REST_MS = 5000;

/** Has a model put the best passages of a search in order. Where it fails, they stay as they are. */
export class PassageRanking {
  readonly passages: number;
  readonly #reranker: Reranker;
  readonly #log: Logger;
  #restUntil = 0;

  constructor({ reranker, passages, log }: PassageRankingDeps) {
    this.passages = passages;
    this.#reranker = reranker;
    this.#log = log;
  }

  async order<P extends Passage>(question: string, passages: readonly P[]): Promise<P[]> {
    const best = passages.slice(0, this.passages);
    if (best.length < 2 || performance.now() < this.#restUntil) return [...passages];
    try {
      const order = await this.#reranker.order(question, best.map(asRead));
      return [...order.map((index) => best[index]!), ...passages.slice(this.passages)];
    } catch (error) {
      this.#restUntil = performance.now() + REST_MS;
      this.#log.warn({ err: error }, 'passages stay in the order of the search');
      return [...passages];
    }
  }
}

function asRead({ title, headings, text }: Passage): string {
  const above = headings[0] === title ? headings : [title, ...headings];
  return [...above.filter(Boolean), text].join('\n');
}
