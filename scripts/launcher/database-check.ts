import pg from 'pg';

export interface DatabaseFacts {
  version: string;
  majorVersion: number;
  /** PostgreSQL extensions that Parley needs, but the database server does not offer. */
  missingExtensions: string[];
}

const OLDEST_MAJOR_VERSION = 15;
const NEEDED_EXTENSIONS = ['btree_gin', 'btree_gist', 'pg_trgm'];

/**
 * Reads from the database what Parley needs to know before it starts.
 * @throws Error if the database cannot be reached
 */
export async function inspectDatabase(url: string): Promise<DatabaseFacts> {
  return withDatabase(url, async (client) => {
    const version = await client.query<{ number: string; name: string }>(
      `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name`,
    );
    const offered = await client.query<{ name: string }>(
      'SELECT name FROM pg_available_extensions WHERE name = ANY($1)',
      [NEEDED_EXTENSIONS],
    );
    const names = offered.rows.map(({ name }) => name);
    return {
      version: version.rows[0]?.name ?? 'unknown',
      majorVersion: Math.floor(Number(version.rows[0]?.number) / 10_000),
      missingExtensions: NEEDED_EXTENSIONS.filter((name) => !names.includes(name)),
    };
  });
}

/**
 * Returns a sentence that says why Parley cannot use the database, and how to fix it. Undefined if Parley can
 * use it.
 */
export function describeDatabaseProblem({
  version,
  majorVersion,
  missingExtensions,
}: DatabaseFacts): string | undefined {
  if (majorVersion < OLDEST_MAJOR_VERSION) {
    return `The database is PostgreSQL ${version}; Parley needs ${OLDEST_MAJOR_VERSION} or later.`;
  }
  if (missingExtensions.length > 0) {
    return `The database server does not have ${missingExtensions.join(', ')}; install PostgreSQL's contrib package.`;
  }
  return undefined;
}

/** Runs `work` with a connection to the database. Waits five seconds at most for the connection. */
export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
