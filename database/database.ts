import type { Pool } from 'pg';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { oncePerObject } from '../core/concurrency/once-per-object.ts';
import type { Runnable } from './statement.ts';
import { Transaction } from './transaction.ts';

const poolOf = oncePerObject((dataSource: DataSource) => new Database(dataSource));

/**
 * The unit of work: the pool, or one transaction on it. Everything that reads or writes takes it from its caller,
 * so that one operation's writes commit together.
 */
export class Database {
  readonly dataSource: DataSource;
  readonly #transaction: Transaction | undefined;

  constructor(dataSource: DataSource, transaction?: Transaction) {
    this.dataSource = dataSource;
    this.#transaction = transaction;
  }

  /** The pool, for what many callers share; the same object each time. */
  get outside(): Database {
    return poolOf(this.dataSource);
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

  /** Of the whole pool, also within a transaction. */
  get poolUsage(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Runs `work` in one transaction, or in the one that is already open. */
  async transaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.#transaction) return work(this);
    return Transaction.run(this.#pool, this.dataSource, (transaction) =>
      work(new Database(this.dataSource, transaction)),
    );
  }

  /** Whether it answers. @throws Error where it does not */
  async ping(): Promise<void> {
    await this.sql('SELECT 1');
  }

  /** Runs `work` and takes back what it has written. @throws Error outside of a transaction */
  async undone(work: () => Promise<unknown>): Promise<void> {
    if (!this.#transaction) throw new Error('There is no transaction to take anything back in.');
    try {
      await Promise.all([this.sql('SAVEPOINT undone'), work()]);
    } finally {
      await this.sql('ROLLBACK TO SAVEPOINT undone');
    }
  }

  /** No statement of the transaction takes longer from now on. @throws Error outside of a transaction */
  async limitStatements(seconds: number): Promise<void> {
    if (!this.#transaction) throw new Error('There is no transaction to limit.');
    await this.sql(`SET LOCAL statement_timeout = ${seconds * 1000}`);
  }

  /** Runs a statement; in a transaction, those that are not waited for one by one run in order. */
  async run<Row>(statement: Runnable<Row>, values: unknown[] = []): Promise<Row[]> {
    const query = queryOf(statement, values);
    if (this.#transaction) return this.#transaction.query(query);
    const { rows } = await this.#pool.query(query);
    return rows as Row[];
  }

  /**
   * Sends a statement with the transaction's COMMIT.
   * @param onCommitted gets its rows, which nobody may see before
   * @throws Error outside of a transaction
   */
  runWithCommit<Row>(statement: Runnable<Row>, values: unknown[], onCommitted?: (rows: Row[]) => void): void {
    if (!this.#transaction) throw new Error('There is no transaction to commit.');
    this.#transaction.queryWithCommit(queryOf(statement, values), onCommitted);
  }

  /** Text of the moment, as tests and benches have it; `Row` is what it selects. */
  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.run<Row>({ name: '', text }, values);
  }

  get #pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }
}

/** Without a name, PostgreSQL plans it anew each time. */
function queryOf({ name, text, isPrepared = false }: Runnable<unknown>, values: unknown[]) {
  return { name: isPrepared ? name : '', text, values };
}
