import type { EmbeddingFailure, PassageToEmbed, Vector } from './embedder.ts';

/** Data with which the embedding thread starts. */
export interface ThreadData extends ModelFile {
  /** Memory of the gate that guards native code (`native-gate.ts`), shared by both threads. */
  gate: Int32Array<SharedArrayBuffer>;
}

/** File of a local embedding model, and how to run it. */
export interface ModelFile {
  path: string;
  windowTokens: number;
  /** Nice value (priority) of the embedding thread, 0 to 19. Higher values give priority to other threads. */
  niceness: number;
}

/** Request that makes the embedding thread exit once it is outside native code. */
export const THREAD_END = 'end';

export type ThreadRequest = {
  id: number;
  prefix: string;
} & ({ passages: readonly PassageToEmbed[] } | { question: string });

export type ThreadReply = { id: number } & (
  | { vectors: Vector[][] }
  | { failure: EmbeddingFailure; message: string }
);
