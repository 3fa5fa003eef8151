import { withDatabase } from '../../scripts/launcher/database-check.ts';

/**
 * PostgreSQL's search path in which the test's `stopped.now()` takes precedence over PostgreSQL's `now()`,
 * since its schema comes first.
 */
const PATH = 'stopped, public, pg_catalog';
const CLOCK = `
  CREATE SCHEMA stopped;
  CREATE TABLE stopped.clock AS SELECT date_trunc('milliseconds', now()) AS at;
  CREATE FUNCTION stopped.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM stopped.clock'`;
/** SQL that recreates the defaults of columns, since a default binds its function when the table is created. */
const DEFAULTS = `
  DO $$
  DECLARE statements text[] := ARRAY(
    SELECT format('ALTER TABLE %s ALTER %I SET DEFAULT %s', adrelid::regclass, attname, pg_get_expr(adbin, adrelid))
    FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE pg_get_expr(adbin, adrelid) LIKE '%now()%');
  statement text;
  BEGIN
    SET LOCAL search_path = ${PATH};
    FOREACH statement IN ARRAY statements LOOP EXECUTE statement; END LOOP;
  END $$`;

/**
 * Stops the database's clock for all later connections of all processes.
 * Due times and limits then do not depend on the speed of the machine.
 */
export async function stopClock(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(CLOCK);
    await client.query(DEFAULTS);
    await client.query(`ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET search_path = ${PATH}`);
  });
}

/** Advances the database's stopped clock by some seconds. */
export async function advanceClock(databaseUrl: string, seconds: number): Promise<void> {
  await withDatabase(databaseUrl, (client) =>
    client.query("UPDATE stopped.clock SET at = at + $1 * interval '1 second'", [seconds]),
  );
}
