import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database, PreparedStatement } from '../entities/database.ts';
import { selectable, toEntity } from './row-mapping.ts';

/** What a row is inserted with, and what of it only the database knows. */
interface Insert {
  statement: PreparedStatement;
  /** Columns that are not given, and have a value without asking for it. */
  implied: Record<string, unknown>;
}

/** Inserts rows by prepared statements, one for each set of columns, and answers with the rows as they are stored. */
export class RowWriter<T extends ObjectLiteral> {
  readonly #metadata: EntityMetadata;
  readonly #inserts = new Map<string, Insert>();

  constructor(pool: Database, entity: EntityTarget<T>) {
    this.#metadata = pool.dataSource.getMetadata(entity);
  }

  /** Absent and undefined properties get their columns' defaults. */
  async insert(db: Database, row: Partial<T>): Promise<T> {
    const columns = this.#metadata.columns.filter(({ propertyName }) => row[propertyName] !== undefined);
    const { statement, implied } = this.#insertOf(columns);
    const values = columns.map((column) => storable(column, row[column.propertyName]));
    const [returned] = await db.prepared<Record<string, unknown>>(statement, values);
    const given = columns.map(({ databaseName }, index) => [databaseName, values[index]]);
    return toEntity<T>(this.#metadata, { ...implied, ...Object.fromEntries(given), ...returned });
  }

  #insertOf(columns: ColumnMetadata[]): Insert {
    const key = columns.map(({ databaseName }) => databaseName).join();
    let insert = this.#inserts.get(key);
    if (!insert) {
      insert = insertOf(this.#metadata, columns, this.#inserts.size);
      this.#inserts.set(key, insert);
    }
    return insert;
  }
}

function storable({ type }: ColumnMetadata, value: unknown): unknown {
  // pg would make a PostgreSQL array of a JSON one.
  if (type === 'jsonb' || type === 'json') return value === null ? null : JSON.stringify(value);
  // What UTF-8 cannot say is stored as a replacement character.
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function insertOf(metadata: EntityMetadata, given: ColumnMetadata[], variant: number): Insert {
  const implied: Record<string, unknown> = {};
  const returned: string[] = [];
  for (const column of selectable(metadata)) {
    if (given.includes(column)) {
      if (!isStoredAsGiven(column)) returned.push(column.databaseName);
    } else if (column.default === undefined && column.isNullable) implied[column.databaseName] = null;
    else if (isStoredAsGiven(column) && typeof column.default !== 'function')
      implied[column.databaseName] = column.default;
    else returned.push(column.databaseName);
  }
  const names = given.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const places = given.map((_, index) => `$${index + 1}`).join(', ');
  const returning = returned.map((name) => `"${name}"`).join(', ');
  const text = `INSERT INTO "${metadata.tableName}" (${names}) VALUES (${places}) RETURNING ${returning}`;
  return { statement: { name: `insert-${metadata.tableName}-${variant}`, text }, implied };
}

const PLAIN_TYPES = new Set<unknown>(['text', 'integer', 'boolean', 'double precision']);

/** PostgreSQL answers with the very value; JSON, ids and times come back in its own form. */
function isStoredAsGiven({ type, isArray, transformer, asExpression }: ColumnMetadata): boolean {
  return PLAIN_TYPES.has(type) && !isArray && !transformer && asExpression === undefined;
}
