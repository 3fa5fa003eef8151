import {
  Column,
  getMetadataArgsStorage,
  type DataSource,
  type EntityTarget,
  type ObjectLiteral,
} from 'typeorm';
import { contentKeysOf, type ContentKey, type ContentKeys } from './content-keys.ts';

/** What every row with content has. */
export interface ContentRow extends ObjectLiteral {
  id: string;
  orgId: string;
  /** The data key that the content is sealed with; null: it is not sealed. What it looks like tells nothing. */
  keyId: string | null;
}

/** The columns of a table that are sealed together. */
export interface Content {
  readonly table: string;
  /** By property. */
  readonly columns: ReadonlyMap<string, { readonly name: string; readonly isJson: boolean }>;
}

const marked = new Map<Function, string[]>();
const known = new Map<Function, Content | null>();

/** What visitors or the team have said, or what was made of that: sealed in workspaces that seal their content. */
export const Sealed = (): PropertyDecorator => (object, property) => {
  const names = marked.get(object.constructor) ?? [];
  marked.set(object.constructor, [...names, String(property)]);
};

/** The column that names the data key of a row with `Sealed` columns. */
export const KeyId = () => Column({ name: 'key_id', type: 'uuid', nullable: true });

/** Null for an entity of which nothing is sealed. */
export function contentOf(entity: EntityTarget<ObjectLiteral>): Content | null {
  if (typeof entity !== 'function') return null;
  const found = known.get(entity);
  if (found !== undefined) return found;
  const content = describe(entity);
  known.set(entity, content);
  return content;
}

/** @throws Error for an entity of which nothing is sealed */
export function requireContent(entity: EntityTarget<ObjectLiteral>): Content {
  const content = contentOf(entity);
  if (!content) throw new Error('Nothing of this entity is sealed.');
  return content;
}

function describe(entity: Function): Content | null {
  const properties = marked.get(entity);
  if (!properties) return null;
  const storage = getMetadataArgsStorage();
  const table = storage.filterTables(entity)[0]?.name;
  if (table === undefined) throw new Error(`${entity.name} is no entity.`);
  const columns = storage
    .filterColumns(entity)
    .filter(({ propertyName }) => properties.includes(propertyName))
    .map(({ propertyName, options }) => {
      const isJson = options.type === 'jsonb';
      return [propertyName, { name: options.name ?? propertyName, isJson }] as const;
    });
  return { table, columns: new Map(columns) };
}

/** All entities with content, by their classes. */
export function contentEntities(): Function[] {
  return [...marked.keys()];
}

/** Whether the value tells anything: what does not is stored as it is, and needs no key. */
export function tells(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Whether a change of a row tells anything that would be sealed. */
export function tellsContent({ columns }: Content, changes: ObjectLiteral): boolean {
  return Object.keys(changes).some((property) => columns.has(property) && tells(changes[property]));
}

/** The row as it is stored: sealed with the key, or readable where that is null. */
export function sealedWith<T extends ObjectLiteral & { id: string }>(
  { table, columns }: Content,
  key: ContentKey | null,
  row: T,
): T & { keyId: string | null } {
  const stored: Record<string, unknown> = { ...row, keyId: key?.id ?? null };
  if (key === null) return stored as T & { keyId: null };
  for (const [property, { name, isJson }] of columns) {
    const value: unknown = row[property];
    if (!tells(value)) continue;
    const text = isJson ? JSON.stringify(value) : String(value);
    stored[property] = key.seal(text, placeOf(table, name, row.id));
  }
  return stored as T & { keyId: string };
}

/** The row as it is to be stored now. @throws AppError `key_unavailable` */
export async function sealedRow<T extends ObjectLiteral & { id: string; orgId: string }>(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  row: T,
): Promise<T> {
  const content = contentOf(entity);
  return content ? sealedWith(content, await contentKeysOf(dataSource).current(row.orgId), row) : row;
}

/**
 * Has the content of a row that was read opened when it is looked at, and not before: rows can be locked, counted and removed
 * while their key is out of reach.
 */
export function openRow(
  dataSource: DataSource,
  content: Content,
  row: ContentRow,
): Promise<void> | undefined {
  if (row.keyId === null) return undefined;
  const keys = contentKeysOf(dataSource);
  openLater(content, keys, row);
  return keys.prepare(row.orgId, row.keyId);
}

/** The same for rows of a statement: with `id`, `orgId` and `keyId`, and content under its properties. */
export async function openContent<T extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly T[],
): Promise<void> {
  const content = requireContent(entity);
  await Promise.all(rows.flatMap((row) => openRow(dataSource, content, row) ?? []));
}

/** Whether the row's key is at hand; for those who go through rows of many workspaces, and leave those that wait for theirs. */
export function isReadable(
  { dataSource }: { dataSource: DataSource },
  row: Pick<ContentRow, 'orgId' | 'keyId'>,
): boolean {
  return row.keyId === null || contentKeysOf(dataSource).isOpen(row.orgId, row.keyId);
}

/** The same for rows whose keys somebody else has ready, or that nobody looks into. */
export function openRowsLater(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly ObjectLiteral[],
): void {
  const content = contentOf(entity);
  if (!content) return;
  const keys = contentKeysOf(dataSource);
  for (const row of rows as readonly ContentRow[]) if (row.keyId !== null) openLater(content, keys, row);
}

function openLater({ table, columns }: Content, keys: ContentKeys, row: ContentRow): void {
  const { id, orgId, keyId } = row as ContentRow & { keyId: string };
  for (const [property, { name, isJson }] of columns) {
    const stored: unknown = row[property];
    // JSON that is sealed is one string.
    if (typeof stored !== 'string' || stored === '') continue;
    const open = () => {
      const place = placeOf(table, name, id);
      const text = openedAt(keys.opened(orgId, keyId), stored, place);
      return isJson ? (JSON.parse(text) as unknown) : text;
    };
    defineLazy(row, property, open);
  }
}

/** @throws Error that says where, for whoever looks into the log: somebody has changed the database */
function openedAt(key: ContentKey, stored: string, place: string): string {
  try {
    return key.open(stored, place);
  } catch (cause) {
    throw new Error(`What is sealed at ${place} does not open: it was changed, or comes from elsewhere.`, {
      cause,
    });
  }
}

/** A property that is made when it is first looked at, and may be given another value. */
function defineLazy(row: object, property: string, make: () => unknown): void {
  const become = (value: unknown) =>
    Object.defineProperty(row, property, { value, enumerable: true, configurable: true, writable: true });
  Object.defineProperty(row, property, {
    enumerable: true,
    configurable: true,
    get: () => {
      const value = make();
      become(value);
      return value;
    },
    set: become,
  });
}

function placeOf(table: string, column: string, id: string): string {
  return `${table}.${column}:${id}`;
}
