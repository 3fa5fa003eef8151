/** An id that sorts before all others. */
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
/** Maximum number of payers whose last workspace is remembered. Each claim sends all of them to the database. */
const MAX_PAYERS = 200;

/**
 * Remembers whose documents a worker embedded last. Payers take turns, and so do the workspaces of a payer. A
 * payer with many workspaces therefore delays other payers by one batch in each round.
 */
export class EmbeddingRotation {
  #lastPayerId = BEFORE_ALL_IDS;
  /** Last workspace of each payer; the payer that changed last is at the end. */
  readonly #lastOrgIds = new Map<string, string>();

  get lastPayerId(): string {
    return this.#lastPayerId;
  }

  get lastOrgIds(): ReadonlyMap<string, string> {
    return this.#lastOrgIds;
  }

  advance(payerId: string, orgId: string): void {
    this.#lastPayerId = payerId;
    this.#lastOrgIds.delete(payerId);
    this.#lastOrgIds.set(payerId, orgId);
    if (this.#lastOrgIds.size > MAX_PAYERS) this.#lastOrgIds.delete(this.#lastOrgIds.keys().next().value!);
  }
}
