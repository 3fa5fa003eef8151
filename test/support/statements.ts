import pg from 'pg';
import type { TestProcess } from './parley.ts';

/**
 * Records the SQL statements that this process sends to Parley's database during `work`, in order. The
 * process may have another Parley, with a separate database.
 */
export async function recordStatements(
  { runtime }: Pick<TestProcess, 'runtime'>,
  work: () => Promise<unknown>,
): Promise<string[]> {
  const { query } = pg.Client.prototype;
  const name = new URL(runtime.settings.databaseUrl ?? '').pathname.slice(1);
  const statements: string[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { text: string }];
    if (this.database === name) statements.push(typeof asked === 'string' ? asked : asked.text);
    return Reflect.apply(query, this, given) as unknown;
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return statements;
}
