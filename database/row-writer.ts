import type { EntityMetadata, EntityTarget, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import type { Database } from './database.ts';
import type { Runnable } from './statement.ts';
import { listOf, selectable, toEntity } from './row-mapping.ts';

/** Each prepared statement costs every connection memory, and callers choose which columns they give. */
const MOST_VARIANTS = 16;

/** How rows with values for the same columns are inserted. */
interface Insert<T> {
  statement: Runnable<Record<string, unknown>>;
  /** The same, which returns nothing. */
  silent: Runnable<never>;
  /** What the statement returns. */
  returned: ColumnMetadata[];
  toEntity: (values: unknown[], returned: Record<string, unknown>) => T;
}

/** Inserts rows by prepared statements, one for each of the first sets of columns, and returns the rows as they are stored. */
export class RowWriter<T extends ObjectLiteral> {
  readonly #metadata: EntityMetadata;
  readonly #inserts = new Map<string, Insert<T>>();

  constructor(pool: Database, entity: EntityTarget<T>) {
    this.#metadata = pool.dataSource.getMetadata(entity);
  }

  /** Absent and undefined properties get their columns' defaults. */
  async insert(db: Database, row: Partial<T>): Promise<T> {
    const { columns, values } = this.#given(row);
    const { statement, toEntity } = this.#insertOf(columns);
    const [returned] = await db.run(statement, values);
    return toEntity(values, returned!);
  }

  /** As `insert`, but goes out with COMMIT where the row is known without asking for it, which saves a round trip. */
  async insertLast(db: Database, row: Partial<T>): Promise<T> {
    const { columns, values } = this.#given(row);
    const { silent, returned, toEntity } = this.#insertOf(columns);
    const stored = returned.map((column) => {
      const given: unknown = row[column.propertyName];
      return [column, given === undefined ? emptyDefaultOf(column) : given] as const;
    });
    if (!stored.every(([column, value]) => isReadAsGiven(column, value))) return this.insert(db, row);
    db.runWithCommit(silent, values);
    return toEntity(
      values,
      Object.fromEntries(stored.map(([{ databaseName }, value]) => [databaseName, value])),
    );
  }

  #given(row: Partial<T>): { columns: ColumnMetadata[]; values: unknown[] } {
    const columns = this.#metadata.columns.filter(({ propertyName }) => row[propertyName] !== undefined);
    return { columns, values: columns.map((column) => storable(column, row[column.propertyName])) };
  }

  #insertOf(columns: ColumnMetadata[]): Insert<T> {
    const key = columns.map(({ databaseName }) => databaseName).join();
    const known = this.#inserts.get(key);
    if (known) return known;
    const variant = this.#inserts.size;
    if (variant >= MOST_VARIANTS) return insertOf<T>(this.#metadata, columns);
    const insert = insertOf<T>(this.#metadata, columns, `insert-${this.#metadata.tableName}-${variant}`);
    this.#inserts.set(key, insert);
    return insert;
  }
}

function storable({ type }: ColumnMetadata, value: unknown): unknown {
  // pg would make a PostgreSQL array of a JSON one.
  if (type === 'jsonb' || type === 'json') return value === null ? null : JSON.stringify(value);
  // What UTF-8 cannot say is stored as a replacement character.
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function insertOf<T extends ObjectLiteral>(
  metadata: EntityMetadata,
  given: ColumnMetadata[],
  name = '',
): Insert<T> {
  const known: { property: string; place: number }[] = [];
  const implied: Record<string, unknown> = {};
  const returned: ColumnMetadata[] = [];
  for (const column of selectable(metadata)) {
    const { propertyName: property } = column;
    const place = given.indexOf(column);
    if (place >= 0 && isStoredAsGiven(column)) known.push({ property, place });
    else if (place < 0 && isImplied(column)) implied[property] = column.default ?? null;
    else returned.push(column);
  }
  const names = given.map(({ databaseName }) => `"${databaseName}"`).join(', ');
  const places = given.map((_, index) => `$${index + 1}`).join(', ');
  const text = `INSERT INTO "${metadata.tableName}" (${names}) VALUES (${places})`;
  return {
    statement: { name, isPrepared: name !== '', text: `${text} RETURNING ${listOf(returned)}` },
    silent: { name: `${name}-silent`, isPrepared: name !== '', text },
    returned,
    toEntity: (values, row) => {
      const entity: Record<string, unknown> = Object.assign(toEntity<T>(returned, row), implied);
      for (const { property, place } of known) entity[property] = values[place];
      return entity as T;
    },
  };
}

const PLAIN_TYPES = new Set<unknown>(['text', 'integer', 'boolean', 'double precision']);

/** PostgreSQL returns the very value; JSON, ids and times come back in its own form. */
function isStoredAsGiven({ type, isArray, transformer, asExpression }: ColumnMetadata): boolean {
  return PLAIN_TYPES.has(type) && !isArray && !transformer && asExpression === undefined;
}

/** An empty list or object that the database gives a row, anew for each; undefined for any other default. */
function emptyDefaultOf(column: ColumnMetadata): unknown {
  const value: unknown = column.default;
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  return isEmpty ? structuredClone(value) : undefined;
}

/** Whether this value comes back as it was given, although others of its column come back in PostgreSQL's own form. */
function isReadAsGiven({ type, isArray, transformer }: ColumnMetadata, value: unknown): boolean {
  if (value === undefined || transformer) return false;
  if (value === null) return true;
  if (isArray) return type === 'text' && (value as string[]).every((text) => text.isWellFormed());
  if (type === 'uuid') return typeof value === 'string' && value === value.toLowerCase();
  if (type === 'timestamptz') return value instanceof Date;
  return type === 'jsonb' && typeof value === 'object' && Object.keys(value).length === 0;
}

/** The database has no say in what a row gets that is not given the column. */
function isImplied(column: ColumnMetadata): boolean {
  if (column.default === undefined) return column.isNullable;
  return isStoredAsGiven(column) && typeof column.default !== 'function';
}
