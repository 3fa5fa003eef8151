import {
  type ColumnOptions,
  getMetadataArgsStorage,
  type DataSource,
  type EntityTarget,
  type ObjectLiteral,
} from 'typeorm';
import { isKeyUnavailable } from '../core/errors/errors.ts';
import { getContentKeys, type ContentKey, type ContentKeys } from './content-keys.ts';
import { sealedProperties, type Opened, type Sealed } from './sealed-columns.ts';

/** Columns of every table with content. */
export interface ContentRow extends ObjectLiteral {
  /** Null for a row outside of workspaces, which is never encrypted. */
  orgId: string | null;
  /** Id of the data key; null for plain text. Never infer this from the value. */
  keyId: string | null;
}

/** Rejects a stored row, whose content would be encrypted twice. */
type Plain<R> = R extends Opened<R> ? unknown : never;

/** A column that is encrypted. */
export interface ContentColumn {
  readonly name: string;
  /** Encrypted JSON is one string, and an encrypted list is a list of one text. */
  readonly type: 'text' | 'list' | 'json' | 'jsonb';
  readonly boundTo: string;
  readonly outside: readonly string[] | null;
}

/** The encrypted columns of a table, which share one data key in each row. */
export interface Content {
  readonly entity: Function;
  readonly table: string;
  /** Property that identifies a row. */
  readonly rowKey: string;
  /** Columns by property name. */
  readonly columns: ReadonlyMap<string, ContentColumn>;
}

const contentByEntity = new Map<Function, Content | null>();
const contentConditions = new Map<Function, (row: ObjectLiteral) => boolean>();

/** Declares which rows of a table have content, if that depends on their kind. By default, all have. */
export function declareContentCondition<T extends ObjectLiteral>(
  entity: new () => T,
  condition: (row: T) => boolean,
): void {
  contentConditions.set(entity, condition as (row: ObjectLiteral) => boolean);
}

/** Null for an entity without encrypted columns. */
export function findContent(entity: EntityTarget<ObjectLiteral>): Content | null {
  if (typeof entity !== 'function') return null;
  const found = contentByEntity.get(entity);
  if (found !== undefined) return found;
  const content = readContent(entity);
  contentByEntity.set(entity, content);
  return content;
}

/** @throws Error if the entity has no encrypted columns */
export function requireContent(entity: EntityTarget<ObjectLiteral>): Content {
  const content = findContent(entity);
  if (!content) throw new Error('This entity has no encrypted columns.');
  return content;
}

function readContent(entity: Function): Content | null {
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
    const type = toContentType(options);
    const column = { name: options.name ?? propertyName, type, boundTo, outside };
    return [[propertyName, column] as const];
  });
  return { entity, table, rowKey, columns: new Map(columns) };
}

function toContentType({ type, array }: ColumnOptions): ContentColumn['type'] {
  if (array) return 'list';
  return type === 'json' || type === 'jsonb' ? type : 'text';
}

/** Returns the classes of all entities with content. */
export function contentEntities(): Function[] {
  return [...sealedProperties.keys()];
}

/** True for a value with content. Empty values are stored as plain text and need no key. */
export function hasContent(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** True if the change has content that may have to be encrypted. */
export function changesContent({ columns }: Content, changes: ObjectLiteral): boolean {
  return Object.keys(changes).some((property) => columns.has(property) && hasContent(changes[property]));
}

/** Returns the row in stored form: encrypted with the key, or plain if the key is null. */
export function sealRowWith<T extends ObjectLiteral>(
  { table, columns }: Content,
  key: ContentKey | null,
  row: T & Plain<T>,
): T & { keyId: string | null } {
  const stored: Record<string, unknown> = { ...row, keyId: key?.id ?? null };
  if (key === null) return stored as T & { keyId: null };
  for (const [property, column] of columns) {
    const value: unknown = row[property];
    if (hasContent(value))
      stored[property] = sealValue(key, column, value, buildContentPlace(table, column, row));
  }
  return stored as T & { keyId: string };
}

function sealValue(key: ContentKey, { type, outside }: ContentColumn, value: unknown, place: string) {
  const sealed = key.seal(type === 'text' ? String(value) : JSON.stringify(value), place);
  if (type === 'list') return [sealed];
  if (outside === null) return sealed;
  const members = value as Record<string, unknown>;
  const left = outside.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]);
  return { ...Object.fromEntries(left), sealed };
}

/**
 * Returns the row in stored form, encrypted with the current key. A row without content needs no key.
 * @throws AppError `key_unavailable`
 */
export async function sealRow<T extends ObjectLiteral & { orgId: string }>(
  dataSource: DataSource,
  entity: EntityTarget<ObjectLiteral>,
  row: T & Plain<T>,
): Promise<T> {
  const content = findContent(entity);
  if (!content || !changesContent(content, row)) return row;
  return sealRowWith<T>(content, await getContentKeys(dataSource).getCurrentKey(row.orgId), row);
}

/**
 * Returns the current key of each workspace; null for plain text.
 * @throws AppError `key_unavailable`
 */
export async function loadCurrentKeys(
  { dataSource }: { dataSource: DataSource },
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, ContentKey | null>> {
  const keys = getContentKeys(dataSource);
  const distinct = [...new Set(orgIds)];
  const current = await Promise.all(distinct.map((orgId) => keys.getCurrentKey(orgId)));
  return new Map(distinct.map((orgId, index) => [orgId, current[index]!]));
}

/** Like `loadCurrentKeys`, without workspaces whose keys are unavailable. */
export async function loadAvailableKeys(
  { dataSource }: { dataSource: DataSource },
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, ContentKey | null>> {
  const keys = getContentKeys(dataSource);
  const distinct = [...new Set(orgIds)];
  const current = await Promise.all(
    distinct.map((orgId) => keys.getCurrentKey(orgId).catch(undefinedIfKeyUnavailable)),
  );
  return new Map(
    distinct.flatMap((orgId, index) => (current[index] === undefined ? [] : [[orgId, current[index]]])),
  );
}

/** @throws the error if it is any other */
function undefinedIfKeyUnavailable(error: unknown): undefined {
  if (!isKeyUnavailable(error)) throw error;
}

/**
 * Decrypts rows, in their order. Each row needs `orgId`, `keyId` and the properties that its content is bound to.
 * @throws AppError `key_unavailable`
 * @throws Error for content that does not decrypt, or that is plain although it must not be
 */
export async function openRows<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly R[],
): Promise<Opened<R>[]> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  const refusals = await prepareRows(keys, content, rows);
  return rows.map((row, index) => {
    const refusal = refusals.get(index);
    if (refusal) throw refusal;
    return openPrepared<R>(keys, content, row);
  });
}

/**
 * Decrypts one row.
 * @throws like `openRows`
 */
export async function openRow<R extends ContentRow>(
  db: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  row: R,
): Promise<Opened<R>> {
  const [opened] = await openRows(db, entity, [row]);
  return opened!;
}

/** Decrypts rows, with null for each whose key is unavailable or whose plain content is refused. */
export async function openAvailableRows<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly R[],
): Promise<(Opened<R> | null)[]> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  const refusals = await prepareRows(keys, content, rows);
  return rows.map((row, index) => {
    if (refusals.has(index) || (row.keyId !== null && !keys.isKeyOpen(row.orgId!, row.keyId))) return null;
    return openPrepared<R>(keys, content, row);
  });
}

/**
 * Like `openRows`, but skips rows whose plain content is refused.
 * @throws AppError `key_unavailable`
 * @throws Error for content that does not decrypt
 */
export async function openGenuineRows(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly ContentRow[],
): Promise<ContentRow[]> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  const refusals = await prepareRows(keys, content, rows);
  return rows.filter((_, index) => !refusals.has(index)).map((row) => openPrepared(keys, content, row));
}

/**
 * Decrypts a row that this process has just stored.
 * @throws AppError `key_unavailable` if its key has become unavailable since then
 */
export function openStoredRow<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  row: R,
): Opened<R> {
  return openPrepared<R>(getContentKeys(dataSource), requireContent(entity), row);
}

/** Loads the keys of encrypted rows, as far as they are available. */
export async function prepareKeys(
  { dataSource }: { dataSource: DataSource },
  rows: readonly ContentRow[],
): Promise<void> {
  const keys = getContentKeys(dataSource);
  await Promise.all(rows.flatMap((row) => prepareKey(keys, row) ?? []));
}

function prepareKey(keys: ContentKeys, { orgId, keyId }: ContentRow): Promise<void> | undefined {
  return keyId === null ? undefined : keys.prepareKey(orgId!, keyId);
}

/** Loads the keys of encrypted rows. Returns why plain rows are refused, by row index. */
async function prepareRows(
  keys: ContentKeys,
  content: Content,
  rows: readonly ContentRow[],
): Promise<ReadonlyMap<number, Error>> {
  const refusals = new Map<number, Error>();
  const waits = rows.flatMap((row, index) => {
    // Fails early: without `keyId`, encrypted text would be returned as plain text.
    if (row.keyId === undefined) throw new Error(`${content.table} was read without keyId.`);
    const refusing = row.keyId === null ? findRefusal(keys, content, row) : undefined;
    return (
      refusing?.then((refusal) => refusal && refusals.set(index, refusal)) ?? prepareKey(keys, row) ?? []
    );
  });
  await Promise.all(waits);
  return refusals;
}

/**
 * Returns why plain content is refused: its workspace has encrypted all content. Undefined if no read is needed to
 * know.
 */
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
    const places = filled.map(([, column]) => buildContentPlace(content.table, column, row));
    const reason = new Error(
      `The content at ${places.join(', ')} is not encrypted, although its workspace encrypts all content: it was changed outside of Parley.`,
    );
    keys.reportRefusal(reason);
    return reason;
  });
}

function holdsContent({ entity, columns }: Content, row: ObjectLiteral): boolean {
  if (contentConditions.get(entity)?.(row) === false) return false;
  for (const property of columns.keys()) if (hasContent(row[property])) return true;
  return false;
}

/** Decrypts a row whose key is loaded, into a copy. Returns a plain row itself. */
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
    const sealed = readSealedText(column, row[property]);
    if (sealed === null) continue;
    key ??= keys.requireOpenKey(orgId!, keyId);
    const text = openAt(key, sealed, buildContentPlace(table, column, row));
    opened[property] = column.type === 'text' ? text : (JSON.parse(text) as unknown);
  }
  return opened as Opened<R>;
}

/** @throws Error with the place, for the log: the stored text was changed */
function openAt(key: ContentKey, stored: string, place: string): string {
  try {
    return key.open(stored, place);
  } catch (cause) {
    throw new Error(`The content at ${place} does not decrypt: it was changed or belongs to another place.`, {
      cause,
    });
  }
}

/** Returns the encrypted text of a value; null if the value has no content. See `sealValue` for its forms. */
function readSealedText({ type, outside }: ContentColumn, read: unknown): string | null {
  const stored: unknown = type === 'list' && Array.isArray(read) ? read[0] : read;
  const sealed = outside === null ? stored : (stored as { sealed?: unknown } | null | undefined)?.sealed;
  return typeof sealed === 'string' && sealed !== '' ? sealed : null;
}

/**
 * Returns the JSON of a column that was read as text, with exactly the bytes that were encrypted.
 * @throws like `openRows`
 */
export async function openJson(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  property: string,
  row: ContentRow,
  stored: Sealed<string>,
): Promise<string> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  const json = stored as unknown as string;
  const refusal = (await prepareRows(keys, content, [{ ...row, [property]: json }])).get(0);
  if (refusal) throw refusal;
  const column = content.columns.get(property)!;
  const sealed = row.keyId === null ? null : readSealedText(column, JSON.parse(json) as unknown);
  if (sealed === null) return json;
  return openAt(
    keys.requireOpenKey(row.orgId!, row.keyId!),
    sealed,
    buildContentPlace(content.table, column, row),
  );
}

function buildContentPlace(table: string, { name, boundTo }: ContentColumn, row: ObjectLiteral): string {
  const bond: unknown = row[boundTo];
  if (typeof bond !== 'string') throw new Error(`${table} was read or written without ${boundTo}.`);
  return `${table}.${name}:${bond}`;
}
