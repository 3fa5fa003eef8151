import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Database } from '../../database/database.ts';
import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { ErasedPersonRepository } from '../../repositories/archive/erased-person.repository.ts';
import type { Browser } from '../../repositories/contacts/visitor.ts';

/** Ids by which an import of an archive recognizes a person whose data were erased. */
export interface PersonKeys {
  /** Ids of the person's contacts and conversations. Ids are not reused after a deletion. */
  ids: readonly string[];
  identity: string | null;
  browser: Browser | null;
}

/** Result of comparing the people in an archive with people whose data were erased. */
export interface ErasedMatches {
  /**
   * Returns true if the person's data were erased.
   * @param person an object that was passed to `match`
   * @param seenAt when the archive first saw the person; a browser or identity first seen after the erasure
   *   is another person
   */
  has(person: PersonKeys, seenAt: Date): boolean;
}

/**
 * Locks the archives of a workspace until the transaction ends, so that an import and the erasure of a person
 * never run at once. Acquire this lock before all other locks.
 */
export function lockArchives(db: Database, orgId: string): Promise<void> {
  return lockName(db, `archive ${orgId}`);
}

/** Records digests of people whose data were erased, so that an import does not restore them. */
export class ErasedPeople {
  readonly #rows: ErasedPersonRepository;
  readonly #keyring: Keyring;

  constructor(rows: ErasedPersonRepository, keyring: Keyring) {
    this.#rows = rows;
    this.#keyring = keyring;
  }

  async record(scope: OrgScope, person: PersonKeys): Promise<void> {
    const { ids, others } = this.#digestKeys(scope, person);
    await this.#rows.upsert(scope, [...new Set([...ids, ...others])]);
  }

  async match(scope: OrgScope, people: readonly PersonKeys[]): Promise<ErasedMatches> {
    const digests = new Map(people.map((person) => [person, this.#digestKeys(scope, person)]));
    const allDigests = [...digests.values()].flatMap(({ ids, others }) => [...ids, ...others]);
    const erased = await this.#rows.listErased(scope, [...new Set(allDigests)]);
    return {
      has: (person, seenAt) => {
        const { ids, others } = digests.get(person)!;
        return (
          ids.some((digest) => erased.has(digest)) ||
          others.some((digest) => seenAt <= (erased.get(digest) ?? new Date(0)))
        );
      },
    };
  }

  #digestKeys({ orgId }: OrgScope, { ids, identity, browser }: PersonKeys) {
    const digest = (...parts: string[]) =>
      this.#keyring.digest('erased-person', [orgId, ...parts].join('\n'));
    return {
      ids: ids.map((id) => digest('id', id)),
      others: [
        ...(identity === null ? [] : [digest('identity', identity)]),
        ...(browser ? [digest('browser', browser.botId, browser.browserId)] : []),
      ],
    };
  }
}
