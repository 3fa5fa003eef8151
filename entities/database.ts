import type pg from 'pg';
import type {
  DataSource,
  EntityManager,
  EntityTarget,
  ObjectLiteral,
  QueryRunner,
  Repository,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';

/** A statement that PostgreSQL parses and plans once per connection. `name` is unique in the program. */
export interface PreparedStatement {
  name: string;
  text: string;
}

interface Queryable {
  query(config: PreparedStatement & { values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/**
 * The unit of work: the pool, or one transaction on it. Everything that reads or writes takes it from its caller,
 * so that one operation's writes commit together.
 */
export class Database {
  readonly dataSource: DataSource;
  readonly #runner: QueryRunner | undefined;

  constructor(dataSource: DataSource, runner?: QueryRunner) {
    this.dataSource = dataSource;
    this.#runner = runner;
  }

  get manager(): EntityManager {
    return this.#runner?.manager ?? this.dataSource.manager;
  }

  get isTransaction(): boolean {
    return this.#runner !== undefined;
  }

  repository<T extends ObjectLiteral>(entity: EntityTarget<T>): Repository<T> {
    return this.manager.getRepository(entity);
  }

  /** Of the whole pool, also within a transaction. */
  get poolUsage(): { total: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = (this.dataSource.driver as PostgresDriver)
      .master as pg.Pool;
    return { total: totalCount, idle: idleCount, waiting: waitingCount };
  }

  /** Runs `work` in one transaction, or in the one that is already open. */
  async transaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    if (this.#runner) return work(this);
    return this.dataSource.transaction((manager) => work(new Database(this.dataSource, manager.queryRunner)));
  }

  /** Parametrised SQL that TypeORM's builder cannot say; `Row` is what the statement selects. */
  async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const queryable = await this.#queryable();
    const result = await queryable.query({ name: '', text, values });
    return result.rows as Row[];
  }

  /** The same for statements of hot paths. */
  async prepared<Row>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    const queryable = await this.#queryable();
    const result = await queryable.query({ name: statement.name, text: statement.text, values });
    return result.rows as Row[];
  }

  async #queryable(): Promise<Queryable> {
    if (this.#runner) return (await this.#runner.connect()) as Queryable;
    return (this.dataSource.driver as PostgresDriver).master as Queryable;
  }
}
