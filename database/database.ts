import type { Pool } from 'pg';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { memoizePerObject } from '../core/concurrency/memoize-per-object.ts';
import type { Runnable } from './statement.ts';
import { Transaction } from './transaction.ts';

const getPoolDatabase = memoizePerObject((dataSource: DataSource) => new Database(dataSource));

/**
 * A database's connection pool, or a transaction on one of its connections. Callers pass it to all code that
 * reads or writes, so that the writes of an operation commit together.
 */
export class Database {
  readonly dataSource: DataSource;
  readonly #transaction: Transaction | undefined;

  constructor(dataSource: DataSource, transaction?: Transaction) {
    this.dataSource = dataSource;
    this.#transaction = transaction;
  }

  /**
   * Connection pool itself, even when called on a transaction. It is always the same object, so that caches
   * and batchers can use it as their key.
   */
  get withoutTransaction(): Database {
    return getPoolDatabase(this.dataSource);
  }

  get manager(): EntityManager {
    return this.#transaction?.manager ?? this.dataSource.manager;
  }

  get isTransaction(): boolean {
    return this.#transaction !== undefined;
  }

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  /** Numbers of all, idle and awaited connections of the pool, even when called on a transaction. */
  get poolUsage(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Runs `work` in a new database transaction, or in the current transaction if there is one. */
  async transaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.#transaction) return work(this);
    return Transaction.run(this.#pool, this.dataSource, (transaction) =>
      work(new Database(this.dataSource, transaction)),
    );
  }

  /**
   * Checks that the database responds.
   * @throws Error if the database does not respond
   */
  async ping(): Promise<void> {
    await this.sql('SELECT 1');
  }

  /**
   * Runs `work` and undoes its database writes; the transaction continues.
   * @throws Error outside of a transaction
   */
  async runAndRollBack(work: () => Promise<unknown>): Promise<void> {
    if (!this.#transaction) throw new Error('There is no transaction to roll back.');
    try {
      await Promise.all([this.sql('SAVEPOINT undone'), work()]);
    } finally {
      await this.sql('ROLLBACK TO SAVEPOINT undone');
    }
  }

  /**
   * Limits the duration in seconds of each later statement of the transaction.
   * @throws Error outside of a transaction
   */
  async limitStatements(seconds: number): Promise<void> {
    if (!this.#transaction) throw new Error('There is no transaction to limit.');
    await this.sql(`SET LOCAL statement_timeout = ${seconds * 1000}`);
  }

  /**
   * Runs an SQL statement. Statements of a transaction run in order, even if the caller does not await each
   * statement.
   */
  async run<Row>(statement: Runnable<Row>, values: unknown[] = []): Promise<Row[]> {
    const query = toQuery(statement, values);
    if (this.#transaction) return this.#transaction.query(query);
    const { rows } = await this.#pool.query(query);
    return rows as Row[];
  }

  /**
   * Sends an SQL statement together with the transaction's COMMIT, which saves a round trip.
   * @param onCommitted callback with the statement's rows after the commit
   * @throws Error outside of a transaction
   */
  runWithCommit<Row>(statement: Runnable<Row>, values: unknown[], onCommitted?: (rows: Row[]) => void): void {
    if (!this.#transaction) throw new Error('There is no transaction to commit.');
    this.#transaction.queryWithCommit(toQuery(statement, values), onCommitted);
  }

  /** Runs ad-hoc SQL, in tests and benchmarks. `Row` is the type of the returned rows. */
  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.run<Row>({ name: '', text }, values);
  }

  get #pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }
}

/**
 * Converts an SQL statement for the library pg. PostgreSQL plans a prepared statement once per connection,
 * and an unnamed statement on each execution.
 */
function toQuery({ name, text, isPrepared = false }: Runnable<unknown>, values: unknown[]) {
  return { name: isPrepared ? name : '', text, values };
}
