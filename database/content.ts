import {
  type ColumnOptions,
  getMetadataArgsStorage,
  type DataSource,
  type EntityTarget,
  type ObjectLiteral,
} from 'typeorm';
import { isKeyUnavailable } from '../core/errors/errors.ts';
import { contentKeysOf, type ContentKey, type ContentKeys } from './content-keys.ts';
import { sealedProperties, type Opened, type Sealed } from './sealed-columns.ts';

/** What every row with content has. */
export interface ContentRow extends ObjectLiteral {
  /** Null: the row belongs to no workspace, and is never sealed. */
  orgId: string | null;
  /** Id of the data key; null for plain text. Never infer this from the value. */
  keyId: string | null;
}

/** `never` for a row as it is stored: its content would be sealed twice. */
type Plain<R> = R extends Opened<R> ? unknown : never;

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

/** Whether the value has content: an empty one is stored as it is, and needs no key. */
export function hasContent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** Whether a change of a row has content that would be sealed. */
export function changesContent({ columns }: Content, changes: ObjectLiteral): boolean {
  return Object.keys(changes).some((property) => columns.has(property) && hasContent(changes[property]));
}

/** The row as it is stored: sealed with the key, or readable where that is null. */
export function sealedWith<T extends ObjectLiteral>(
  { table, columns }: Content,
  key: ContentKey | null,
  row: T & Plain<T>,
): T & { keyId: string | null } {
  const stored: Record<string, unknown> = { ...row, keyId: key?.id ?? null };
  if (key === null) return stored as T & { keyId: null };
  for (const [property, column] of columns) {
    const value: unknown = row[property];
    if (hasContent(value)) stored[property] = sealedValue(key, column, value, placeOf(table, column, row));
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

/** The row as it is to be stored now; one without content needs no key. @throws AppError `key_unavailable` */
export async function sealedRow<T extends ObjectLiteral & { orgId: string }>(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  row: T & Plain<T>,
): Promise<T> {
  const content = contentOf(entity);
  if (!content || !changesContent(content, row)) return row;
  return sealedWith<T>(content, await contentKeysOf(dataSource).current(row.orgId), row);
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

/** The same, without the workspaces whose keys are unavailable. */
export async function availableKeys(
  { dataSource }: { dataSource: DataSource },
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, ContentKey | null>> {
  const keys = contentKeysOf(dataSource);
  const distinct = [...new Set(orgIds)];
  const current = await Promise.all(
    distinct.map((orgId) => keys.current(orgId).catch(undefinedIfKeyUnavailable)),
  );
  return new Map(
    distinct.flatMap((orgId, index) => (current[index] === undefined ? [] : [[orgId, current[index]]])),
  );
}

/** @throws the error, for any other one */
function undefinedIfKeyUnavailable(error: unknown): undefined {
  if (!isKeyUnavailable(error)) throw error;
}

/**
 * The rows with their content, in their order. Each has `orgId`, `keyId` and what its content is bound to.
 * @throws AppError `key_unavailable`; Error for content that does not open, or that may not be readable
 */
export async function openRows<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly R[],
): Promise<Opened<R>[]> {
  const content = requireContent(entity);
  const keys = contentKeysOf(dataSource);
  const refusals = await prepareRows(keys, content, rows);
  return rows.map((row, index) => {
    const refusal = refusals.get(index);
    if (refusal) throw refusal;
    return openPrepared<R>(keys, content, row);
  });
}

/** The row with its content. @throws like `openRows` */
export async function openRow<R extends ContentRow>(
  db: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  row: R,
): Promise<Opened<R>> {
  const [opened] = await openRows(db, entity, [row]);
  return opened!;
}

/** The same for many rows, with null for each whose key is unavailable, or whose content may not be readable. */
export async function openAvailableRows<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly R[],
): Promise<(Opened<R> | null)[]> {
  const content = requireContent(entity);
  const keys = contentKeysOf(dataSource);
  const refusals = await prepareRows(keys, content, rows);
  return rows.map((row, index) => {
    if (refusals.has(index) || (row.keyId !== null && !keys.isOpen(row.orgId!, row.keyId))) return null;
    return openPrepared<R>(keys, content, row);
  });
}

/** Like `openRows`, without the rows whose content may not be readable. @throws AppError `key_unavailable`; Error for content that does not open */
export async function openGenuineRows(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly ContentRow[],
): Promise<ContentRow[]> {
  const content = requireContent(entity);
  const keys = contentKeysOf(dataSource);
  const refusals = await prepareRows(keys, content, rows);
  return rows.filter((_, index) => !refusals.has(index)).map((row) => openPrepared(keys, content, row));
}

/** Opens a row that was stored a moment ago. @throws AppError `key_unavailable` if its key has become unavailable since then */
export function openStoredRow<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  row: R,
): Opened<R> {
  return openPrepared<R>(contentKeysOf(dataSource), requireContent(entity), row);
}

/** Prepares the keys of sealed rows, as far as they are available. */
export async function prepareKeys(
  { dataSource }: { dataSource: DataSource },
  rows: readonly ContentRow[],
): Promise<void> {
  const keys = contentKeysOf(dataSource);
  await Promise.all(rows.flatMap((row) => prepareKey(keys, row) ?? []));
}

function prepareKey(keys: ContentKeys, { orgId, keyId }: ContentRow): Promise<void> | undefined {
  return keyId === null ? undefined : keys.prepare(orgId!, keyId);
}

/** Prepares the keys of sealed rows; returns why readable rows are refused, by their index. */
async function prepareRows(
  keys: ContentKeys,
  content: Content,
  rows: readonly ContentRow[],
): Promise<ReadonlyMap<number, Error>> {
  const refusals = new Map<number, Error>();
  const waits = rows.flatMap((row, index) => {
    // Sealed text would pass for the text itself.
    if (row.keyId === undefined) throw new Error(`${content.table} was read without keyId.`);
    const refusing = row.keyId === null ? findRefusal(keys, content, row) : undefined;
    return (
      refusing?.then((refusal) => refusal && refusals.set(index, refusal)) ?? prepareKey(keys, row) ?? []
    );
  });
  await Promise.all(waits);
  return refusals;
}

/** Why content that is readable is refused: all content of its workspace is sealed. Undefined if nothing has to be read to know. */
function findRefusal(
  keys: ContentKeys,
  content: Content,
  row: ContentRow,
): Promise<Error | undefined> | undefined {
  if (row.orgId === null || !holdsContent(content, row)) return undefined;
  const verdict = keys.mayBeReadable(row.orgId);
  if (verdict === true) return undefined;
  return verdict.then((isGenuine) => {
    if (isGenuine) return undefined;
    const filled = [...content.columns].filter(([property]) => hasContent(row[property]));
    const places = filled.map(([, column]) => placeOf(content.table, column, row));
    const reason = new Error(
      `What stands at ${places.join(', ')} is not sealed, although all content of its workspace is: it comes from elsewhere.`,
    );
    keys.noteRefused(reason);
    return reason;
  });
}

function holdsContent({ entity, columns }: Content, row: ObjectLiteral): boolean {
  if (conditions.get(entity)?.(row) === false) return false;
  for (const property of columns.keys()) if (hasContent(row[property])) return true;
  return false;
}

/** A copy of a sealed row whose key is prepared, with its content; a readable row stays as it is. */
function openPrepared<R extends ContentRow>(
  keys: ContentKeys,
  { table, columns }: Content,
  row: R,
): Opened<R> {
  const { orgId, keyId } = row;
  if (keyId === null) return row as Opened<R>;
  const opened: ObjectLiteral = { ...row };
  let key: ContentKey | undefined;
  for (const [property, column] of columns) {
    const sealed = sealedTextOf(column, row[property]);
    if (sealed === null) continue;
    key ??= keys.opened(orgId!, keyId);
    const text = openAt(key, sealed, placeOf(table, column, row));
    opened[property] = column.type === 'text' ? text : (JSON.parse(text) as unknown);
  }
  return opened as Opened<R>;
}

/** @throws Error that says where, for the log: the database was changed */
function openAt(key: ContentKey, stored: string, place: string): string {
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

/** The JSON of a column that was read as text: the text that was sealed, to the byte. @throws like `openRows` */
export async function openJson(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  property: string,
  row: ContentRow,
  stored: Sealed<string>,
): Promise<string> {
  const content = requireContent(entity);
  const keys = contentKeysOf(dataSource);
  const json = stored as unknown as string;
  const refusal = (await prepareRows(keys, content, [{ ...row, [property]: json }])).get(0);
  if (refusal) throw refusal;
  const column = content.columns.get(property)!;
  const sealed = row.keyId === null ? null : sealedTextOf(column, JSON.parse(json) as unknown);
  if (sealed === null) return json;
  return openAt(keys.opened(row.orgId!, row.keyId!), sealed, placeOf(content.table, column, row));
}

function placeOf(table: string, { name, boundTo }: ContentColumn, row: ObjectLiteral): string {
  const bond: unknown = row[boundTo];
  if (typeof bond !== 'string') throw new Error(`${table} was read or written without ${boundTo}.`);
  return `${table}.${name}:${bond}`;
}
