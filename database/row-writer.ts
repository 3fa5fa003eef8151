import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database } from './database.ts';
import type { Runnable } from './statement.ts';
import { joinColumnNames, listSelectedColumns, toEntity } from './row-mapping.ts';

/**
 * Maximum number of prepared INSERT statements of a writer. Each statement costs memory on each connection,
 * and callers choose which columns they set.
 */
const MAX_VARIANTS = 16;

/** Prepared INSERT statement for rows that set the same columns. */
interface Insert<T> {
  statement: Runnable<Record<string, unknown>>;
  /** Prepared INSERT without RETURNING, for rows whose stored values are known in advance. */
  silent: Runnable<never>;
  /** Columns in the statement's RETURNING clause, whose values only the database knows. */
  returned: ColumnMetadata[];
  toEntity: (values: unknown[], returned: Record<string, unknown>) => T;
}

/**
 * Inserts rows into a table with prepared statements, one for each set of columns. Returns the rows with all
 * their stored values.
 */
export class RowWriter<T extends ObjectLiteral> {
  readonly #metadata: EntityMetadata;
  readonly #inserts = new Map<string, Insert<T>>();

  constructor(pool: Database, entity: EntityTarget<T>) {
    this.#metadata = pool.dataSource.getMetadata(entity);
  }

  /** Inserts a row. Properties that are absent or undefined get the default of their database column. */
  async insert(db: Database, row: Partial<T>): Promise<T> {
    const { columns, values } = this.#pickValues(row);
    const { statement, toEntity } = this.#getInsert(columns);
    const [returned] = await db.run(statement, values);
    return toEntity(values, returned!);
  }

  /**
   * Inserts a row like `insert`, but sends the statement together with COMMIT, which saves a round trip. If
   * the database computes a value, such as a default time, the call saves no round trip.
   */
  async insertWithCommit(db: Database, row: Partial<T>): Promise<T> {
    const { columns, values } = this.#pickValues(row);
    const { silent, returned, toEntity } = this.#getInsert(columns);
    const stored = returned.map((column) => {
      const rowValue: unknown = row[column.propertyName];
      return [column, rowValue === undefined ? copyEmptyDefault(column) : rowValue] as const;
    });
    if (!stored.every(([column, value]) => isReadUnchanged(column, value))) return this.insert(db, row);
    db.runWithCommit(silent, values);
    return toEntity(
      values,
      Object.fromEntries(stored.map(([{ databaseName }, value]) => [databaseName, value])),
    );
  }

  #pickValues(row: Partial<T>): { columns: ColumnMetadata[]; values: unknown[] } {
    const columns = this.#metadata.columns.filter(({ propertyName }) => row[propertyName] !== undefined);
    return { columns, values: columns.map((column) => toStorableValue(column, row[column.propertyName])) };
  }

  #getInsert(columns: ColumnMetadata[]): Insert<T> {
    const key = columns.map(({ databaseName }) => databaseName).join();
    const known = this.#inserts.get(key);
    if (known) return known;
    const variant = this.#inserts.size;
    if (variant >= MAX_VARIANTS) return buildInsert<T>(this.#metadata, columns);
    const insert = buildInsert<T>(this.#metadata, columns, `insert-${this.#metadata.tableName}-${variant}`);
    this.#inserts.set(key, insert);
    return insert;
  }
}

function toStorableValue({ type }: ColumnMetadata, value: unknown): unknown {
  // Serialize JSON here, because the library pg would convert an array to a PostgreSQL array.
  if (type === 'jsonb' || type === 'json') return value === null ? null : JSON.stringify(value);
  // Replace lone surrogates with U+FFFD, because UTF-8 cannot encode them.
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function buildInsert<T extends ObjectLiteral>(
  metadata: EntityMetadata,
  insertedColumns: ColumnMetadata[],
  name = '',
): Insert<T> {
  const knownColumns: { property: string; place: number }[] = [];
  const implied: Record<string, unknown> = {};
  const returnedColumns: ColumnMetadata[] = [];
  for (const column of listSelectedColumns(metadata)) {
    const { propertyName: property } = column;
    const place = insertedColumns.indexOf(column);
    if (place >= 0 && isStoredUnchanged(column)) knownColumns.push({ property, place });
    else if (place < 0 && isImplied(column)) implied[property] = column.default ?? null;
    else returnedColumns.push(column);
  }
  const names = insertedColumns.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const places = insertedColumns.map((_, index) => `$${index + 1}`).join(', ');
  const text = `INSERT INTO "${metadata.tableName}" (${names}) VALUES (${places})`;
  return {
    statement: {
      name,
      isPrepared: name !== '',
      text: `${text} RETURNING ${joinColumnNames(returnedColumns)}`,
    },
    silent: { name: `${name}-silent`, isPrepared: name !== '', text },
    returned: returnedColumns,
    toEntity: (values, row) => {
      const entity: Record<string, unknown> = Object.assign(toEntity<T>(returnedColumns, row), implied);
      for (const { property, place } of knownColumns) entity[property] = values[place];
      return entity as T;
    },
  };
}

const PLAIN_TYPES = new Set<unknown>(['text', 'integer', 'boolean', 'double precision']);

/**
 * Returns true if PostgreSQL returns any value of this column exactly as it was given. JSON, ids and times
 * may come back in another spelling.
 */
function isStoredUnchanged({ type, isArray, transformer, asExpression }: ColumnMetadata): boolean {
  return PLAIN_TYPES.has(type) && !isArray && !transformer && asExpression === undefined;
}

/**
 * Returns a copy of the database column's default if the default is an empty list or object; undefined if
 * not.
 */
function copyEmptyDefault(column: ColumnMetadata): unknown {
  const value: unknown = column.default;
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? structuredClone(value) : undefined;
}

/**
 * Returns true if PostgreSQL returns this value exactly as given, although other values of the same column
 * may come back in another spelling.
 */
function isReadUnchanged({ type, isArray, transformer }: ColumnMetadata, value: unknown): boolean {
  if (value === undefined || transformer) return false;
  if (value === null) return true;
  if (isArray) return type === 'text' && (value as string[]).every((text) => text.isWellFormed());
  if (type === 'uuid') return typeof value === 'string' && value === value.toLowerCase();
  if (type === 'timestamptz') return value instanceof Date;
  return type === 'jsonb' && typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Returns true if the value of a column that the INSERT does not set is known in advance: null or a constant
 * default.
 */
function isImplied(column: ColumnMetadata): boolean {
  if (column.default === undefined) return column.isNullable;
  return isStoredUnchanged(column) && typeof column.default !== 'function';
}
