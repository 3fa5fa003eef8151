import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { Database } from '../../database/database.ts';
import { lockName } from '../../database/advisory-lock.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { ErasedPersonRepository } from '../../repositories/archive/erased-person.repository.ts';
import type { Browser } from '../../repositories/contacts/visitor.ts';

/** What somebody can be recognized by in an archive. */
export interface PersonKeys {
  /** Of contacts and conversations, which nobody else ever has. */
  ids: readonly string[];
  identity: string | null;
  browser: Browser | null;
}

/** Those who were erased among people of an archive. */
export interface ErasedAmong {
  /**
   * @param person one of those that were asked about
   * @param seenAt the first time that the archive has of them: whoever came after the erasure is somebody new
   */
  has(person: PersonKeys, seenAt: Date): boolean;
}

/** Lets imports of a workspace, and erasures in it, wait for each other until their transactions end. It comes before all other locks. */
export function lockArchives(db: Database, orgId: string): Promise<void> {
  return lockName(db, `archive ${orgId}`);
}

/** Keeps people who were erased from coming back with an archive. */
export class ErasedPeople {
  readonly #rows: ErasedPersonRepository;
  readonly #keyring: Keyring;

  constructor(rows: ErasedPersonRepository, keyring: Keyring) {
    this.#rows = rows;
    this.#keyring = keyring;
  }

  async note(scope: OrgScope, person: PersonKeys): Promise<void> {
    const { ids, others } = this.#digestsOf(scope, person);
    await this.#rows.upsert(scope, [...new Set([...ids, ...others])]);
  }

  async among(scope: OrgScope, people: readonly PersonKeys[]): Promise<ErasedAmong> {
    const digests = new Map(people.map((person) => [person, this.#digestsOf(scope, person)]));
    const asked = [...digests.values()].flatMap(({ ids, others }) => [...ids, ...others]);
    const erased = await this.#rows.listErased(scope, [...new Set(asked)]);
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

  #digestsOf({ orgId }: OrgScope, { ids, identity, browser }: PersonKeys) {
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
