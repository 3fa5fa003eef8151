import pg, { type Pool, type PoolClient, type QueryConfig } from 'pg';
import { QueryFailedError, type DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';

interface FinalStatement {
  statement: QueryConfig;
  onCommitted(rows: unknown[]): void;
}

/**
 * A database transaction on one connection. BEGIN is sent together with the first statement, and COMMIT with
 * the last statement, which saves two round trips. See docs/patterns.md#unit-of-work.
 */
export class Transaction {
  readonly #client: PoolClient;
  readonly #dataSource: DataSource;
  readonly #beginning: Promise<unknown>;
  readonly #finalStatements: FinalStatement[] = [];
  #manager: EntityManager | undefined;
  #isCorked = false;

  private constructor(client: PoolClient, dataSource: DataSource) {
    this.#client = client;
    this.#dataSource = dataSource;
    this.#beginning = this.#sendCorked({ text: 'BEGIN' });
    // Ignore an error of BEGIN here: each statement that waits for BEGIN reports it.
    this.#beginning.catch(() => undefined);
  }

  /** Runs `work` in a database transaction and commits it, or rolls back if `work` fails. */
  static async run<T>(
    pool: Pool,
    dataSource: DataSource,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const client = await pool.connect();
    let breakage: Error | undefined;
    const onError = (error: Error) => (breakage = error);
    client.on('error', onError);
    try {
      const transaction = new Transaction(client, dataSource);
      const result = await work(transaction).catch(async (error: unknown) => {
        await client.query('ROLLBACK').catch(onError);
        throw error;
      });
      await transaction.#commit();
      return result;
    } finally {
      client.off('error', onError);
      client.release(breakage);
    }
  }

  /** Entity manager of TypeORM that works within this transaction. */
  get manager(): EntityManager {
    this.#manager ??= createManager(this.#client, this.#dataSource);
    return this.#manager;
  }

  /**
   * Sends an SQL statement without waiting for the results of earlier statements. The statements run in order
   * and share a round trip.
   */
  async query<Row>(statement: QueryConfig): Promise<Row[]> {
    const [{ rows }] = await Promise.all([this.#sendCorked(statement), this.#beginning]);
    return rows as Row[];
  }

  /**
   * Queues an SQL statement that is sent together with COMMIT. If the statement fails, the transaction fails.
   * @param onCommitted callback with the statement's rows after the commit
   */
  queryWithCommit<Row>(statement: QueryConfig, onCommitted: (rows: Row[]) => void = () => {}): void {
    this.#finalStatements.push({ statement, onCommitted: (rows) => onCommitted(rows as Row[]) });
  }

  async #commit(): Promise<void> {
    const statements = [...this.#finalStatements.map(({ statement }) => statement), { text: 'COMMIT' }];
    const results = await Promise.allSettled(statements.map((statement) => this.#sendCorked(statement)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const [commit] = results.slice(-1);
    // PostgreSQL responds to COMMIT with ROLLBACK instead of an error if a statement has failed.
    if (commit?.status === 'fulfilled' && commit.value.command !== 'COMMIT')
      throw new Error('A transaction with a failed statement was rolled back instead of committed.');
    for (const [index, { onCommitted }] of this.#finalStatements.entries()) {
      const result = results[index];
      if (result?.status === 'fulfilled') onCommitted(result.value.rows);
    }
  }

  /** Sends an SQL statement. All statements of the same tick share one packet. */
  #sendCorked(statement: QueryConfig) {
    if (!this.#isCorked) {
      const { stream } = this.#client.connection;
      this.#isCorked = true;
      stream.cork();
      process.nextTick(() => {
        this.#isCorked = false;
        stream.uncork();
      });
    }
    return this.#client.query(statement);
  }
}

/**
 * TypeORM's query runner on the connection of this transaction. It neither begins nor ends the transaction.
 */
class JoinedRunner extends PostgresQueryRunner {
  constructor(driver: PostgresDriver, client: PoolClient) {
    super(driver, 'master');
    this.databaseConnection = client;
    this.isTransactionActive = true;
    this.transactionDepth = 1;
  }
}

function createManager(client: PoolClient, dataSource: DataSource): EntityManager {
  const runner = new JoinedRunner(dataSource.driver as PostgresDriver, client);
  return Object.assign(runner, { manager: dataSource.createEntityManager(runner) }).manager;
}

/** Returns true if the database server canceled the statement because it exceeded the statement timeout. */
export function isTimedOut(error: unknown): boolean {
  const source: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return source instanceof pg.DatabaseError && source.code === '57014';
}

/**
 * Returns true if the error proves that the transaction was not committed. After a lost connection, the
 * outcome is unknown.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !error.code?.startsWith('57P');
}
