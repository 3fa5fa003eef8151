import { invalidField } from '../../core/errors/errors.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { SearchLimits, tooManySearches } from '../requests/search-limits.ts';

/** Maximum number of concurrent text searches in each process. */
const SLOTS = 4;
const MAX_WAITING_PER_SLOT = 8;

/**
 * Limits concurrent text searches in a workspace's conversations and contacts. Very common texts, or texts
 * too short for the index, take seconds in a large workspace.
 */
export class TextSearches {
  readonly #limits: SearchLimits;

  constructor({ searchSeconds }: Pick<Settings, 'searchSeconds'>) {
    this.#limits = new SearchLimits({
      slots: SLOTS,
      maxWaiting: SLOTS * MAX_WAITING_PER_SLOT,
      timeoutSeconds: searchSeconds,
    });
  }

  /**
   * Runs a text search when a slot is free.
   * @throws AppError `rate_limited` if no slot became free in time; `validation_error` if the search exceeds
   *   its timeout
   */
  async run<T extends object>(scope: OrgScope, search: (scope: OrgScope) => Promise<T>): Promise<T> {
    const result = await this.#limits.run(scope, search);
    if (result === 'out_of_turn') throw tooManySearches();
    if (result !== 'timed_out') return result;
    throw invalidField(
      'q',
      `takes longer than ${this.#limits.timeoutSeconds} s to search for; send a longer text, or add other filters`,
      'query',
    );
  }
}
