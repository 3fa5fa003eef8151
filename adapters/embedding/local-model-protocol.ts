import type { EmbeddingFailure, PassageToEmbed, Vector } from './embedder.ts';

/** Data with which the thread starts. */
export interface ThreadData extends ModelFile {
  /** State of the gate to native code (`native-gate.ts`). */
  gate: Int32Array<SharedArrayBuffer>;
}

/** A model's files and how to run them. */
export interface ModelFile {
  path: string;
  windowTokens: number;
  /** Priority from 0 to 19: higher values yield the CPU to other threads. */
  niceness: number;
}

/** Ends the thread once it is outside of native code. */
export const THREAD_END = 'end';

export type ThreadRequest = {
  id: number;
  prefix: string;
  /** Deadline by `Date.now()` after which the request is useless. */
  until: number;
} & ({ passages: readonly PassageToEmbed[] } | { question: string });

export type ThreadReply = { id: number } & (
  { vectors: Vector[][] } | { failure: EmbeddingFailure; message: string }
);
