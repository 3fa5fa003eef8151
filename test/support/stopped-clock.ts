import { withDatabase } from '../../scripts/launcher/database-check.ts';

/** A function of that name elsewhere comes before the one that is built in, where the path has the latter's schema later. */
const PATH = 'stopped, public, pg_catalog';
const CLOCK = `
  CREATE SCHEMA stopped;
  CREATE TABLE stopped.clock AS SELECT date_trunc('milliseconds', now()) AS at;
  CREATE FUNCTION stopped.now() RETURNS timestamptz STABLE LANGUAGE sql AS 'SELECT at FROM stopped.clock'`;
/** What a column's default calls was looked up when the table was made. */
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
 * Stops the clock by which the database tells what is due, and what is within a limit, for all connections that are made
 * from now on, of whatever process: on a machine that is slow, nothing has become due meanwhile.
 */
export async function stopClock(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    await client.query(CLOCK);
    await client.query(DEFAULTS);
    await client.query(`ALTER DATABASE ${new URL(databaseUrl).pathname.slice(1)} SET search_path = ${PATH}`);
  });
}

/** Lets the stopped clock go on by so much. */
export async function passTime(databaseUrl: string, seconds: number): Promise<void> {
  await withDatabase(databaseUrl, (client) =>
    client.query("UPDATE stopped.clock SET at = at + $1 * interval '1 second'", [seconds]),
  );
}
