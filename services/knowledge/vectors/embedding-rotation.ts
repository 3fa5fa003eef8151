import { LRUCache } from 'lru-cache';

/** UUID that sorts before all other ids, with which the rotation starts. */
const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000';
/**
 * Maximum number of payers whose last embedded workspace is stored. Each claim of documents sends all of them
 * to the database.
 */
const MAX_PAYERS = 200;

/**
 * Stores whose documents a worker embedded last. Payers take turns, and so do the workspaces of a payer. A
 * payer with many workspaces therefore delays other payers by one batch in each round.
 */
export class EmbeddingRotation {
  #lastPayerId = BEFORE_ALL_IDS;
  readonly #lastOrgIds = new LRUCache<string, string>({ max: MAX_PAYERS });

  get lastPayerId(): string {
    return this.#lastPayerId;
  }

  /** Id of the workspace whose documents were embedded last, by payer. */
  get lastOrgIds(): Record<string, string> {
    return Object.fromEntries(this.#lastOrgIds.entries());
  }

  advance(payerId: string, orgId: string): void {
    this.#lastPayerId = payerId;
    this.#lastOrgIds.set(payerId, orgId);
  }
}
