import { readFileSync, statSync } from 'node:fs';

/** What a small system file says, read again when it has changed; one that is missing says what an empty one does. */
export class CachedFile<T> {
  readonly #path: string;
  readonly #parse: (text: string) => T;
  #cached: { changedAtMs: number | undefined; content: T } | undefined;

  constructor(path: string, parse: (text: string) => T) {
    this.#path = path;
    this.#parse = parse;
  }

  /** Does not go through the threads for files, which may all be busy. */
  read(): T {
    const changedAtMs = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs;
    if (this.#cached?.changedAtMs !== changedAtMs || !this.#cached) {
      const text = changedAtMs === undefined ? '' : readFileSync(this.#path, 'utf8');
      this.#cached = { changedAtMs, content: this.#parse(text) };
    }
    return this.#cached.content;
  }
}
