import type { Pool } from 'pg';
import type { DataSource, EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { oncePerObject } from '../core/concurrency/once-per-object.ts';
import type { Statement } from './statement.ts';
import { Transaction } from './transaction.ts';

/** A statement that PostgreSQL parses and plans once per connection. `name` is unique in the program. */
export interface PreparedStatement {
  name: string;
  text: string;
}

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

  /** Runs SQL by hand; in a transaction, statements that are not waited for one by one run in order. */
  run<Row>({ name, text, isPrepared = false }: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
    return this.prepared({ name: isPrepared ? name : '', text }, values);
  }

  /**
   * Sends a statement with the transaction's COMMIT.
   * @param onCommitted gets its rows, which nobody may see before
   * @throws Error outside of a transaction
   */
  runWithCommit<Row>(
    { name, text, isPrepared = false }: Statement<Row>,
    values: unknown[],
    onCommitted?: (rows: Row[]) => void,
  ): void {
    this.preparedWithCommit({ name: isPrepared ? name : '', text }, values, onCommitted);
  }

  /** Parametrised SQL that TypeORM's builder cannot say; `Row` is what the statement selects. */
  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.prepared({ name: '', text }, values);
  }

  /** The same for statements of hot paths; in a transaction, those that are not waited for one by one run in order. */
  async prepared<Row>({ name, text }: PreparedStatement, values: unknown[]): Promise<Row[]> {
    if (this.#transaction) return this.#transaction.query({ name, text, values });
    const { rows } = await this.#pool.query({ name, text, values });
    return rows as Row[];
  }

  /**
   * Sends a statement with the transaction's COMMIT.
   * @param onCommitted gets its rows, which nobody may see before
   * @throws Error outside of a transaction
   */
  preparedWithCommit<Row>(
    { name, text }: PreparedStatement,
    values: unknown[],
    onCommitted?: (rows: Row[]) => void,
  ): void {
    if (!this.#transaction) throw new Error('There is no transaction to commit.');
    this.#transaction.queryWithCommit({ name, text, values }, onCommitted);
  }

  get #pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }
}
