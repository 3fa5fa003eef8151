import pg from 'pg';

/** Records the statements that this process sends to the database during `work`, in order. */
export async function recordStatements(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype;
  const statements: string[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { text: string }];
    statements.push(typeof asked === 'string' ? asked : asked.text);
    return Reflect.apply(query, this, given) as unknown;
  } as typeof query;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = query;
  }
  return statements;
}
