import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { Database, PreparedStatement } from '../entities/database.ts';
import { selectList, toEntity } from './row-mapping.ts';

/** Inserts rows by prepared statements, one for each set of columns, and answers with the rows as they are stored. */
export class RowWriter<T extends ObjectLiteral> {
  readonly #metadata: EntityMetadata;
  readonly #statements = new Map<string, PreparedStatement>();

  constructor(pool: Database, entity: EntityTarget<T>) {
    this.#metadata = pool.dataSource.getMetadata(entity);
  }

  /** Absent and undefined properties get their columns' defaults. */
  async insert(db: Database, row: Partial<T>): Promise<T> {
    const columns = this.#metadata.columns.filter(({ propertyName }) => row[propertyName] !== undefined);
    const names = columns.map(({ databaseName }) => databaseName);
    const values = columns.map(({ propertyName, type }) => {
      const value: unknown = row[propertyName];
      // pg would make a PostgreSQL array of a JSON one.
      return type === 'jsonb' || type === 'json' ? (value === null ? null : JSON.stringify(value)) : value;
    });
    const [stored] = await db.prepared<Record<string, unknown>>(this.#statementFor(names), values);
    return toEntity<T>(this.#metadata, stored!);
  }

  #statementFor(names: string[]): PreparedStatement {
    const key = names.join();
    let statement = this.#statements.get(key);
    if (!statement) {
      statement = insertStatement(this.#metadata, names, this.#statements.size);
      this.#statements.set(key, statement);
    }
    return statement;
  }
}

function insertStatement(metadata: EntityMetadata, names: string[], variant: number): PreparedStatement {
  const quoted = names.map((name) => `"${name}"`).join(', ');
  const places = names.map((_, index) => `$${index + 1}`).join(', ');
  return {
    name: `insert-${metadata.tableName}-${variant}`,
    text: `INSERT INTO "${metadata.tableName}" (${quoted}) VALUES (${places}) RETURNING ${selectList(metadata)}`,
  };
}
