import type { EmbeddingFailure, PassageToEmbed, Vector } from './embedder.ts';

/** What the thread is started with. */
export interface ThreadData {
  path: string;
  windowTokens: number;
  /** From 0 to 19: how far it stands back behind others who want a processor. */
  niceness: number;
}

export type ThreadRequest = {
  id: number;
  prefix: string;
  /** When nobody waits for it any more, by `Date.now()`. */
  until: number;
} & ({ passages: readonly PassageToEmbed[] } | { question: string });

export type ThreadReply = { id: number } & (
  { vectors: Vector[][] } | { failure: EmbeddingFailure; message: string }
);
