/** Endpoints that changed recently, for callers that read one before the change. */
export class RecentChanges {
  readonly #keptMs: number;
  /** Times of `performance.now()`, oldest first. */
  readonly #changedAt = new Map<string, number>();

  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  note(id: string): void {
    const now = performance.now();
    this.#changedAt.delete(id);
    this.#changedAt.set(id, now);
    for (const [old, at] of this.#changedAt) {
      if (at > now - this.#keptMs) return;
      this.#changedAt.delete(old);
    }
  }

  /** @param startedAt time of `performance.now()`, at most as long ago as changes are stored */
  listSince(startedAt: number): string[] {
    return [...this.#changedAt].filter(([, at]) => at >= startedAt).map(([id]) => id);
  }
}
