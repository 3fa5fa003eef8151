import type { EmbeddingFailure, PassageToEmbed, Vector } from './embedder.ts';

/** Initial data of the embedding thread. */
export interface ThreadData extends ModelFile {
  /** Shared memory of the gate that guards native code (`native-gate.ts`). */
  gate: Int32Array<SharedArrayBuffer>;
}

/** File of a local model, and how to run it. */
export interface ModelFile {
  path: string;
  windowTokens: number;
  /** Nice value of the thread, 0 to 19. Higher values give priority to other threads. */
  niceness: number;
}

/** Request that makes the worker thread exit once it is outside native code. */
export const THREAD_END = 'end';

export type ThreadRequest = {
  id: number;
  prefix: string;
} & ({ passages: readonly PassageToEmbed[] } | { question: string });

export type ThreadReply = { id: number } & (
  | { vectors: Vector[][] }
  | { failure: EmbeddingFailure; message: string }
);
