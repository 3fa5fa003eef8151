import { Database } from '../../database/database.ts';
import { createDataSource } from '../../entities/data-source.ts';
import type { Installation } from './installation.ts';

/** Settings with sign-in limits that Parley counts but the bench never reaches. */
export const WIDE_SIGN_IN_LIMITS = {
  PARLEY_SIGN_IN_LIMIT_PER_IP: '10000000',
  signInLimitPerAccount: 10000000,
  PARLEY_ACCOUNT_MAIL_LIMIT: '10000000',
  wrongCodesPerDay: 10000000,
};

/** Runs `work` with a separate connection to the installation's database. */
export async function withDatabase<T>(
  { databaseUrl }: Installation,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  try {
    return await work(new Database(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

/** Inserts accounts `<prefix>-<n>@example.com`, each with the hashed password and its own workspace. */
export async function insertAccounts(
  db: Database,
  { prefix, count, passwordHash }: { prefix: string; count: number; passwordHash: string },
): Promise<void> {
  await db.sql(
    `WITH made AS (
       SELECT n, $1 || '-' || n AS name, gen_random_uuid() AS user_id, gen_random_uuid() AS org_id
       FROM generate_series(1, $2::int) AS n
     ), people AS (
       INSERT INTO users (id, email, full_name, password_hash, email_verified_at)
       SELECT user_id, name || '@example.com', 'Ada ' || n, $3, now() FROM made
     ), workspaces AS (
       INSERT INTO orgs (id, name, slug, payer_id) SELECT org_id, name, name, org_id FROM made
     )
     INSERT INTO memberships (id, org_id, user_id, role, is_default)
     SELECT gen_random_uuid(), org_id, user_id, 'owner', true FROM made`,
    [prefix, count, passwordHash],
  );
}
