/**
 * Stages between a visitor's message and the answer, in order:
 * - `understand`: complete a follow-up, split several questions, and correct spelling with the words of the
 *   bot's documents
 * - `retrieve`: find passages by words and by vectors
 * - `fuse`: merge both lists
 * - `rerank`: prefer documents that both searches found, and apply the order of a re-ranker
 * - `judge`: keep passages that answer the question, by their relevance or by the bot's model
 * - `answer`: write the answer, or quote the passages
 * - `verify`: remove what no passage supports
 */
export const stages = ['understand', 'retrieve', 'fuse', 'rerank', 'judge', 'answer', 'verify'] as const;
export type Stage = (typeof stages)[number];

/**
 * Report of one stage of answering a message. A message with several questions has a report for each of them.
 */
export interface StageReport {
  stage: Stage;
  ms: number;
  /**
   * Ids of the document chunks that remain after this stage, best first. Missing if the stage does not change
   * them.
   */
  chunkIds?: readonly string[];
}

export type ObserveStage = (report: StageReport) => void;

/** Reports the consecutive stages of answering a message, each with the time since the previous stage. */
export class StageLaps {
  readonly #observe: ObserveStage | undefined;
  #startedAt = performance.now();

  constructor(observe: ObserveStage | undefined) {
    this.#observe = observe;
  }

  /** @param chunks document chunks that remain after the stage; omitted if the stage does not change them */
  end(stage: Stage, chunks?: readonly { chunkId: string }[]): void {
    if (!this.#observe) return;
    const now = performance.now();
    const ms = now - this.#startedAt;
    this.#startedAt = now;
    this.#observe(chunks ? { stage, ms, chunkIds: chunks.map(({ chunkId }) => chunkId) } : { stage, ms });
  }
}
