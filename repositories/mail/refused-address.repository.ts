import { In } from 'typeorm';
import type { Database } from '../../database/database.ts';
import { RefusedAddress } from '../../entities/mail/refused-address.entity.ts';

/** Stores digests of email addresses that reject email. */
export class RefusedAddressRepository {
  /**
   * Returns those of the given digests that are stored. Such a digest belongs to an email address that
   * rejects email.
   */
  async list(db: Database, digests: readonly string[]): Promise<Set<string>> {
    const rows = await db.repository(RefusedAddress).findBy({ digest: In(digests) });
    return new Set(rows.map(({ digest }) => digest));
  }

  async upsert(db: Database, digest: string, reason: string): Promise<void> {
    const refused = { digest, reason, refusedAt: () => 'now()' };
    await db.repository(RefusedAddress).upsert(refused, ['digest']);
  }

  async delete(db: Database, digest: string): Promise<void> {
    await db.repository(RefusedAddress).delete({ digest });
  }
}
