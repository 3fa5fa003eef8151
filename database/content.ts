import {
  type ColumnOptions,
  getMetadataArgsStorage,
  type DataSource,
  type EntityTarget,
  type ObjectLiteral,
} from 'typeorm';
import { isKeyUnavailable } from '../core/errors/errors.ts';
import { contentKeysOf, type ContentKey, type ContentKeys } from './content-keys.ts';
import { sealedProperties } from './sealed-columns.ts';

/** What every row with content has. */
export interface ContentRow extends ObjectLiteral {
  orgId: string;
  /** The data key that the content is sealed with; null: it is not sealed. What it looks like tells nothing. */
  keyId: string | null;
}

/** A column that is sealed. */
export interface ContentColumn {
  readonly name: string;
  /** Sealed, JSON is one string, and a list of texts is a list of one. */
  readonly type: 'text' | 'list' | 'json' | 'jsonb';
  readonly boundTo: string;
  readonly outside: readonly string[] | null;
}

/** The columns of a table that are sealed together. */
export interface Content {
  readonly entity: Function;
  readonly table: string;
  /** The property that names a row. */
  readonly rowKey: string;
  /** By property. */
  readonly columns: ReadonlyMap<string, ContentColumn>;
}

const known = new Map<Function, Content | null>();
const conditions = new Map<Function, (row: ObjectLiteral) => boolean>();
/** Readable rows of workspaces all of whose content is sealed. */
const refused = new WeakSet<object>();

/** Says which rows of a table hold content, where that depends on their kind; of others all do. */
export function holdsContentIf<T extends ObjectLiteral>(
  entity: new () => T,
  condition: (row: T) => boolean,
): void {
  conditions.set(entity, condition as (row: ObjectLiteral) => boolean);
}

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
  const properties = sealedProperties.get(entity);
  if (!properties) return null;
  const storage = getMetadataArgsStorage();
  const table = storage.filterTables(entity)[0]?.name;
  if (table === undefined) throw new Error(`${entity.name} is no entity.`);
  const all = storage.filterColumns(entity);
  const primary = all.find(({ options }) => options.primary)?.propertyName ?? 'id';
  const rowKey = all.some(({ propertyName }) => propertyName === 'id') ? 'id' : primary;
  const columns = all.flatMap(({ propertyName, options }) => {
    const sealed = properties.get(propertyName);
    if (!sealed) return [];
    const { boundTo = rowKey, outside = null } = sealed;
    const type = contentTypeOf(options);
    const column = { name: options.name ?? propertyName, type, boundTo, outside };
    return [[propertyName, column] as const];
  });
  return { entity, table, rowKey, columns: new Map(columns) };
}

function contentTypeOf({ type, array }: ColumnOptions): ContentColumn['type'] {
  if (array) return 'list';
  return type === 'json' || type === 'jsonb' ? type : 'text';
}

/** All entities with content, by their classes. */
export function contentEntities(): Function[] {
  return [...sealedProperties.keys()];
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
export function sealedWith<T extends ObjectLiteral>(
  { table, columns }: Content,
  key: ContentKey | null,
  row: T,
): T & { keyId: string | null } {
  const stored: Record<string, unknown> = { ...row, keyId: key?.id ?? null };
  if (key === null) return stored as T & { keyId: null };
  for (const [property, column] of columns) {
    const value: unknown = row[property];
    if (tells(value)) stored[property] = sealedValue(key, column, value, placeOf(table, column, row));
  }
  return stored as T & { keyId: string };
}

function sealedValue(key: ContentKey, { type, outside }: ContentColumn, value: unknown, place: string) {
  const sealed = key.seal(type === 'text' ? String(value) : JSON.stringify(value), place);
  if (type === 'list') return [sealed];
  if (outside === null) return sealed;
  const members = value as Record<string, unknown>;
  const left = outside.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]);
  return { ...Object.fromEntries(left), sealed };
}

/** The row as it is to be stored now; one that tells nothing needs no key. @throws AppError `key_unavailable` */
export async function sealedRow<T extends ObjectLiteral & { orgId: string }>(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  row: T,
): Promise<T> {
  const content = contentOf(entity);
  if (!content || !tellsContent(content, row)) return row;
  return sealedWith(content, await contentKeysOf(dataSource).current(row.orgId), row);
}

/** With which keys content of the workspaces is to be sealed now. @throws AppError `key_unavailable` */
export async function currentKeys(
  { dataSource }: { dataSource: DataSource },
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, ContentKey | null>> {
  const keys = contentKeysOf(dataSource);
  const distinct = [...new Set(orgIds)];
  const current = await Promise.all(distinct.map((orgId) => keys.current(orgId)));
  return new Map(distinct.map((orgId, index) => [orgId, current[index]!]));
}

/** The same, without the workspaces whose keys are out of reach. */
export async function keysAtHand(
  { dataSource }: { dataSource: DataSource },
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, ContentKey | null>> {
  const keys = contentKeysOf(dataSource);
  const distinct = [...new Set(orgIds)];
  const current = await Promise.all(distinct.map((orgId) => keys.current(orgId).catch(undefinedIfAway)));
  return new Map(
    distinct.flatMap((orgId, index) => (current[index] === undefined ? [] : [[orgId, current[index]]])),
  );
}

/** @throws the error, for any other one */
function undefinedIfAway(error: unknown): undefined {
  if (!isKeyUnavailable(error)) throw error;
}

/**
 * Refuses the content of a row that is readable although all content of its workspace is sealed: whoever looks at it gets an error.
 * Undefined where there is nothing to wait for.
 */
function refuseReadable(
  dataSource: DataSource,
  content: Content,
  row: ContentRow,
): Promise<void> | undefined {
  const keys = contentKeysOf(dataSource);
  const verdict = keys.mayBeReadable(row.orgId);
  if (verdict === true || !holdsContent(content, row)) return undefined;
  return verdict.then((isGenuine) => {
    if (isGenuine) return;
    refused.add(row);
    const telling = [...content.columns].filter(([property]) => tells(row[property]));
    const places = telling.map(([, column]) => placeOf(content.table, column, row));
    const reason = new Error(
      `What stands at ${places.join(', ')} is not sealed, although all content of its workspace is: it comes from elsewhere.`,
    );
    keys.noteRefused(reason);
    for (const [property] of telling)
      defineLazy(row, property, () => {
        throw reason;
      });
  });
}

function holdsContent({ entity, columns }: Content, row: ObjectLiteral): boolean {
  if (conditions.get(entity)?.(row) === false) return false;
  return [...columns.keys()].some((property) => tells(row[property]));
}

/** Whether the content of the row was refused because it is readable. */
export function isRefused(row: object): boolean {
  return refused.has(row);
}

/**
 * Opens the content of a row that was read. Where its key is not at hand yet, or a value does not open, whoever looks at it is told,
 * and nobody else: rows can be locked, counted and removed while their key is out of reach.
 */
export function openRow(
  dataSource: DataSource,
  content: Content,
  row: ContentRow,
): Promise<void> | undefined {
  if (row.keyId === null) return refuseReadable(dataSource, content, row);
  const keys = contentKeysOf(dataSource);
  openNowOrLater(content, keys, row);
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

/** Has the keys of rows ready, for `openedText` and `openedJson`. */
export async function prepareKeys(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly ContentRow[],
): Promise<void> {
  const content = requireContent(entity);
  const keys = contentKeysOf(dataSource);
  await Promise.all(
    rows.flatMap(
      (row) =>
        (row.keyId === null
          ? refuseReadable(dataSource, content, row)
          : keys.prepare(row.orgId, row.keyId)) ?? [],
    ),
  );
}

/**
 * Whether the row's key is at hand, and its content genuine; for those who go through rows of many workspaces, and leave those that
 * wait for theirs.
 */
export function isReadable(
  { dataSource }: { dataSource: DataSource },
  row: Pick<ContentRow, 'orgId' | 'keyId'>,
): boolean {
  if (row.keyId === null) return !isRefused(row);
  return contentKeysOf(dataSource).isOpen(row.orgId, row.keyId);
}

/** Refuses content of the rows that is readable where it may not be, without opening any. */
export async function refuseReadableRows(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly ObjectLiteral[],
): Promise<void> {
  const content = contentOf(entity);
  if (!content) return;
  const readable = (rows as readonly ContentRow[]).filter(({ keyId }) => keyId === null);
  await Promise.all(readable.flatMap((row) => refuseReadable(dataSource, content, row) ?? []));
}

/** Opens rows whose keys somebody else has ready, or that nobody looks into. */
export function openRowsLater(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly ObjectLiteral[],
): void {
  const content = contentOf(entity);
  if (!content) return;
  const keys = contentKeysOf(dataSource);
  for (const row of rows as readonly ContentRow[]) if (row.keyId !== null) openNowOrLater(content, keys, row);
}

function openNowOrLater({ table, columns }: Content, keys: ContentKeys, row: ContentRow): void {
  const { orgId, keyId } = row as ContentRow & { keyId: string };
  const isOpen = keys.isOpen(orgId, keyId);
  for (const [property, column] of columns) {
    const sealed = sealedTextOf(column, row[property]);
    if (sealed === null) continue;
    const place = placeOf(table, column, row);
    const open = () => {
      const text = openedAt(keys.opened(orgId, keyId), sealed, place);
      return column.type === 'text' ? text : (JSON.parse(text) as unknown);
    };
    if (isOpen) openNow(row, property, open);
    else defineLazy(row, property, open);
  }
}

/** Rows with properties that are made later cost three times as much as the opening. */
function openNow(row: ObjectLiteral, property: string, open: () => unknown): void {
  try {
    row[property] = open();
  } catch (error) {
    defineLazy(row, property, () => {
      throw error;
    });
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

/** JSON that is sealed is one string, or has it beside what stays outside. Null for what tells nothing. */
function sealedTextOf({ type, outside }: ContentColumn, read: unknown): string | null {
  const stored: unknown = type === 'list' && Array.isArray(read) ? read[0] : read;
  const sealed = outside === null ? stored : (stored as { sealed?: unknown } | null | undefined)?.sealed;
  return typeof sealed === 'string' && sealed !== '' ? sealed : null;
}

/** What a column that is no JSON says, of a row whose key is ready. @throws AppError `key_unavailable` */
export function openedText(
  { dataSource }: { dataSource: DataSource },
  { table, columns }: Content,
  property: string,
  row: Pick<ContentRow, 'orgId' | 'keyId'> & ObjectLiteral,
): string {
  // Of a row that was refused, this throws.
  const stored = row[property] as string;
  if (row.keyId === null || !tells(stored)) return stored;
  const key = contentKeysOf(dataSource).opened(row.orgId, row.keyId);
  return openedAt(key, stored, placeOf(table, columns.get(property)!, row));
}

/**
 * The JSON of a column that was read as text: the text that was sealed, to the byte. The row's key is ready.
 * @throws AppError `key_unavailable`
 */
export function openedJson(
  { dataSource }: { dataSource: DataSource },
  { table, columns }: Content,
  property: string,
  row: Pick<ContentRow, 'orgId' | 'keyId'> & ObjectLiteral,
  stored: string,
): string {
  if (row.keyId === null) return stored;
  const column = columns.get(property)!;
  const sealed = sealedTextOf(column, JSON.parse(stored) as unknown);
  if (sealed === null) return stored;
  const key = contentKeysOf(dataSource).opened(row.orgId, row.keyId);
  return openedAt(key, sealed, placeOf(table, column, row));
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

function placeOf(table: string, { name, boundTo }: ContentColumn, row: ObjectLiteral): string {
  const bond: unknown = row[boundTo];
  if (typeof bond !== 'string') throw new Error(`${table} was read or written without ${boundTo}.`);
  return `${table}.${name}:${bond}`;
}
