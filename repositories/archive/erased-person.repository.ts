import { Any } from 'typeorm';
import type { OrgScope } from '../../database/org-scope.ts';
import { ErasedPerson } from '../../entities/archive/erased-person.entity.ts';

const BATCH_SIZE = 1000;

/** Stores digests of identifiers that archives may contain for erased people. */
export class ErasedPersonRepository {
  /**
   * Records the current time as the time at which the people with the given digests were erased.
   * @param digests distinct digests of their identifiers
   */
  async upsert({ db, orgId }: OrgScope, digests: readonly string[]): Promise<void> {
    for (let from = 0; from < digests.length; from += BATCH_SIZE) {
      const rows = digests
        .slice(from, from + BATCH_SIZE)
        .map((digest) => ({ orgId, digest, erasedAt: () => 'now()' }));
      await db
        .repository(ErasedPerson)
        .createQueryBuilder()
        .insert()
        .values(rows)
        .orUpdate(['erased_at'], ['org_id', 'digest'])
        .updateEntity(false)
        .execute();
    }
  }

  /** Returns the times at which the people with these digests were erased. Omits unknown digests. */
  async listErased({ db, orgId }: OrgScope, digests: readonly string[]): Promise<Map<string, Date>> {
    if (digests.length === 0) return new Map();
    const rows = await db.repository(ErasedPerson).findBy({ orgId, digest: Any(digests) });
    return new Map(rows.map(({ digest, erasedAt }) => [digest, erasedAt]));
  }
}
