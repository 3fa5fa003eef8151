import type { EmbeddingFailure, PassageToEmbed, Vector } from './embedder.ts';

/** What the thread is started with. */
export interface ThreadData extends ModelFile {
  /** The state of the gate to what is native (`native-gate.ts`). */
  gate: Int32Array<SharedArrayBuffer>;
}

/** Where a thread finds its model, and how it runs it. */
export interface ModelFile {
  path: string;
  windowTokens: number;
  /** From 0 to 19: how far it stands back behind others who want a processor. */
  niceness: number;
}

/** Has the thread end, once it is outside of native code. */
export const THREAD_END = 'end';

export type ThreadRequest = {
  id: number;
  prefix: string;
  /** When nobody waits for it any more, by `Date.now()`. */
  until: number;
} & ({ passages: readonly PassageToEmbed[] } | { question: string });

export type ThreadReply = { id: number } & (
  { vectors: Vector[][] } | { failure: EmbeddingFailure; message: string }
);
