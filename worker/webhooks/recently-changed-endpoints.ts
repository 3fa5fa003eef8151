/**
 * Records which webhook endpoints have changed recently. A caller can then detect that an endpoint has
 * changed since the caller read it.
 */
export class RecentlyChangedEndpoints {
  readonly #maxAgeMs: number;
  /** Time of each endpoint's last change by `performance.now()`, oldest first. */
  readonly #changedAt = new Map<string, number>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  note(id: string): void {
    const now = performance.now();
    this.#changedAt.delete(id);
    this.#changedAt.set(id, now);
    for (const [old, at] of this.#changedAt) {
      if (at > now - this.#maxAgeMs) return;
      this.#changedAt.delete(old);
    }
  }

  /**
   * Returns the ids of the webhook endpoints that have changed since a time.
   * @param startedAt time since which to list changes, by `performance.now()`; at most `maxAgeMs` ago
   */
  listSince(startedAt: number): string[] {
    return [...this.#changedAt].filter(([, at]) => at >= startedAt).map(([id]) => id);
  }
}
