import type { Database } from '../../database/database.ts';
import type { Installation } from '../support/installation.ts';
import { runAsSuperuser } from '../support/statements.ts';
import { ROLE } from '../../scripts/launcher/postgres-roles.ts';

/** Permits Parley's database role to skip foreign-key checks, which makes the bench's inserts faster. */
export async function prepareBulkLoads(installation: Installation): Promise<void> {
  await runAsSuperuser(installation, [`GRANT SET ON PARAMETER session_replication_role TO ${ROLE}`]);
}

/**
 * Drops large indexes while `work` fills tables, and rebuilds the indexes afterwards, which is several times
 * as fast. Unique and partial indexes stay, since the running Parley needs them for its queries.
 */
export async function withoutIndexes(
  db: Database,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const indexes = await db.sql<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = ANY($1::regclass[]) AND NOT indisunique AND indpred IS NULL`,
    [tables],
  );
  for (const { name } of indexes) await db.sql(`DROP INDEX ${name}`);
  await work();
  await db.sql("SET maintenance_work_mem = '512MB'");
  for (const { definition } of indexes) await db.sql(definition);
}

/** Runs `work` without the database's triggers and foreign-key checks. */
export async function withoutTriggers(db: Database, work: () => Promise<void>): Promise<void> {
  await db.sql('SET session_replication_role = replica');
  await work();
  await db.sql('RESET session_replication_role');
}
