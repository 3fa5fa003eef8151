import type { Database } from '../../database/database.ts';
import { ServedRole } from '../../entities/installation/served-role.entity.ts';

/** Stores which worker roles the workers of the installation serve, by the clock of the database. */
export class ServedRoleRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async report(roles: Iterable<string>): Promise<void> {
    // Sort the rows, so that concurrent reports wait and do not deadlock.
    const rows = [...roles].toSorted().map((role) => ({ role, seenAt: () => 'now()' }));
    await this.#db
      .repository(ServedRole)
      .createQueryBuilder()
      .insert()
      .values(rows)
      .orUpdate(['seen_at'], ['role'])
      .execute();
  }

  /** Lists the worker roles that a worker has reported within the last seconds. */
  async listSeenWithin(seconds: number): Promise<string[]> {
    const served = await this.#db
      .repository(ServedRole)
      .createQueryBuilder('served')
      .where('served.seenAt > now() - make_interval(secs => :seconds)', { seconds })
      .getMany();
    return served.map(({ role }) => role);
  }
}
