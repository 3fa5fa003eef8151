import { readFileSync, statSync } from 'node:fs';

/**
 * Caches the parsed content of a small system file. Parses it again when its modification time changes. A
 * missing file counts as empty.
 */
export class CachedFile<T> {
  readonly #path: string;
  readonly #parse: (text: string) => T;
  #cached: { changedAtMs: number | undefined; content: T } | undefined;

  constructor(path: string, parse: (text: string) => T) {
    this.#path = path;
    this.#parse = parse;
  }

  /** Reads the file synchronously: Node's few threads for file access may all be busy. */
  read(): T {
    const changedAtMs = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs;
    if (this.#cached?.changedAtMs !== changedAtMs || !this.#cached) {
      const text = changedAtMs === undefined ? '' : readFileSync(this.#path, 'utf8');
      this.#cached = { changedAtMs, content: this.#parse(text) };
    }
    return this.#cached.content;
  }
}
