import {
  type ColumnOptions,
  getMetadataArgsStorage,
  type DataSource,
  type EntityTarget,
  type ObjectLiteral,
} from 'typeorm';
import { isKeyUnavailable } from '../core/errors/errors.ts';
import { UndecryptableValue } from '../core/errors/undecryptable-value.ts';
import { getContentKeys, type ContentKey, type ContentKeys } from './content-keys.ts';
import { sealedProperties, type Opened, type Sealed } from './sealed-columns.ts';
import { hasContent, readSealedText, sealValue, type ContentColumn } from './stored-values.ts';

/** Columns that every table with encrypted content has. */
export interface ContentRow extends ObjectLiteral {
  /** Id of the row's workspace; null for a row outside of workspaces, which is never encrypted. */
  orgId: string | null;
  /**
   * Id of the data key that encrypts the row's content; null if it is plain text. A plain value may look
   * encrypted, so the value alone does not show whether it is.
   */
  keyId: string | null;
}

/**
 * Compile-time check that rejects a row in its stored form, because its encrypted content would be encrypted
 * again.
 */
type Plain<R> = R extends Opened<R> ? unknown : never;

/** The encrypted columns of a table. All content of one row has the same data key. */
export interface Content {
  readonly entity: Function;
  readonly table: string;
  /** Property that identifies a row of the table, usually `id`. */
  readonly rowKey: string;
  /** The encrypted columns of the table, by property name. */
  readonly columns: ReadonlyMap<string, ContentColumn>;
}

const contentByEntity = new Map<Function, Content | null>();
const contentConditions = new Map<Function, (row: ObjectLiteral) => boolean>();

/** Declares which rows of a table have content to encrypt. Without a declaration, all rows do. */
export function declareContentCondition<T extends ObjectLiteral>(
  entity: new () => T,
  condition: (row: T) => boolean,
): void {
  contentConditions.set(entity, condition as (row: ObjectLiteral) => boolean);
}

/** Returns the encrypted columns of an entity; null if it has none. */
export function findContent(entity: EntityTarget<ObjectLiteral>): Content | null {
  if (typeof entity !== 'function') return null;
  const found = contentByEntity.get(entity);
  if (found !== undefined) return found;
  const content = readContent(entity);
  contentByEntity.set(entity, content);
  return content;
}

/**
 * Returns the encrypted columns of an entity.
 * @throws Error if the entity has no encrypted columns
 */
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
  if (table === undefined) throw new Error(`${entity.name} is not an entity.`);
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

/** Returns the classes of all entities that have encrypted columns. */
export function listContentEntities(): Function[] {
  return [...sealedProperties.keys()];
}

/** Returns true if the changes set an encrypted column to a value that is not empty. */
export function changesContent({ columns }: Content, changes: ObjectLiteral): boolean {
  return Object.keys(changes).some((property) => columns.has(property) && hasContent(changes[property]));
}

/** Converts a row for storage: encrypts its content, or leaves it plain if the key is null. */
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
      stored[property] = sealValue(key, column, value, buildContentContext(table, column, row));
  }
  return stored as T & { keyId: string };
}

/**
 * Converts a row for storage: encrypts its content with the workspace's current key. Loads no key for a row
 * without content.
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
 * Returns the current data key of each workspace, with null for workspaces that store plain text.
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

/** Returns the same keys as `loadCurrentKeys`, without workspaces whose keys are unavailable. */
export async function loadAvailableKeys(
  { dataSource }: { dataSource: DataSource },
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, ContentKey | null>> {
  const keys = getContentKeys(dataSource);
  const distinct = [...new Set(orgIds)];
  const current = await Promise.all(
    distinct.map((orgId) => keys.getCurrentKey(orgId).catch(ignoreKeyUnavailable)),
  );
  return new Map(
    distinct.flatMap((orgId, index) => (current[index] === undefined ? [] : [[orgId, current[index]]])),
  );
}

/**
 * Returns the same keys as `loadAvailableKeys` without calling a key service: omits each workspace whose key
 * is not cached.
 */
export async function peekCurrentKeys(
  { dataSource }: { dataSource: DataSource },
  orgIds: readonly string[],
): Promise<ReadonlyMap<string, ContentKey | null>> {
  const keys = getContentKeys(dataSource);
  const distinct = [...new Set(orgIds)];
  const current = await Promise.all(distinct.map((orgId) => keys.peekCurrentKey(orgId)));
  return new Map(
    distinct.flatMap((orgId, index) => (current[index] === undefined ? [] : [[orgId, current[index]]])),
  );
}

/**
 * Ignores the error `key_unavailable`.
 * @throws any other error
 */
function ignoreKeyUnavailable(error: unknown): undefined {
  if (!isKeyUnavailable(error)) throw error;
}

/**
 * Decrypts the content of rows in order. Each row needs `orgId`, `keyId` and the properties to which its
 * content is bound.
 * @throws AppError `key_unavailable`
 * @throws UndecryptableValue if content cannot be decrypted, or is plain although its workspace encrypts all
 * content
 */
export async function decryptRows<R extends ContentRow>(
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
    return decryptPrepared<R>(keys, content, row);
  });
}

/**
 * Decrypts the content of one row.
 * @throws the errors of `decryptRows`
 */
export async function decryptRow<R extends ContentRow>(
  db: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  row: R,
): Promise<Opened<R>> {
  const [opened] = await decryptRows(db, entity, [row]);
  return opened!;
}

/**
 * Decrypts the content of rows in order. The result has null for a row whose key is unavailable, and for a
 * plain row whose workspace encrypts all content.
 */
export async function decryptAvailableRows<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly R[],
): Promise<(Opened<R> | null)[]> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  return decryptPreparedRows<R>(keys, content, rows, await prepareRows(keys, content, rows));
}

/**
 * Decrypts rows like `decryptAvailableRows` without calling a key service: returns null for each row whose
 * key is not cached.
 */
export async function decryptReadyRows<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly R[],
): Promise<(Opened<R> | null)[]> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  return decryptPreparedRows<R>(keys, content, rows, await findRefusals(keys, content, rows));
}

function decryptPreparedRows<R extends ContentRow>(
  keys: ContentKeys,
  content: Content,
  rows: readonly R[],
  refusals: ReadonlyMap<number, Error>,
): (Opened<R> | null)[] {
  return rows.map((row, index) => {
    if (refusals.has(index) || (row.keyId !== null && !keys.isKeyOpen(row.orgId!, row.keyId))) return null;
    return decryptPrepared<R>(keys, content, row);
  });
}

/**
 * Decrypts rows like `decryptRows`, but skips plain rows whose workspace encrypts all content.
 * @throws AppError `key_unavailable`
 * @throws UndecryptableValue
 */
export async function decryptGenuineRows(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  rows: readonly ContentRow[],
): Promise<ContentRow[]> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  const refusals = await prepareRows(keys, content, rows);
  return rows.filter((_, index) => !refusals.has(index)).map((row) => decryptPrepared(keys, content, row));
}

/**
 * Decrypts the content of a row that this process has just stored.
 * @throws AppError `key_unavailable` if the key has become unavailable in the meantime
 */
export function decryptStoredRow<R extends ContentRow>(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  row: R,
): Opened<R> {
  return decryptPrepared<R>(getContentKeys(dataSource), requireContent(entity), row);
}

/** Loads the data keys of encrypted rows into the cache. Ignores keys that are unavailable. */
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

/**
 * Loads the data keys of encrypted rows into the cache. Returns an error for each plain row whose workspace
 * encrypts all content, by the row's index.
 */
async function prepareRows(
  keys: ContentKeys,
  content: Content,
  rows: readonly ContentRow[],
): Promise<ReadonlyMap<number, Error>> {
  const loading = rows.flatMap((row) => prepareKey(keys, row) ?? []);
  const [refusals] = await Promise.all([findRefusals(keys, content, rows), ...loading]);
  return refusals;
}

/** Returns an error for each plain row whose workspace encrypts all content, by the row's index. */
async function findRefusals(
  keys: ContentKeys,
  content: Content,
  rows: readonly ContentRow[],
): Promise<ReadonlyMap<number, Error>> {
  const refusals = new Map<number, Error>();
  const waits = rows.flatMap((row, index) => {
    // Throw if the query did not select `keyId`. Without it, the row would count as plain, and the repository
    // would return encrypted text.
    if (row.keyId === undefined) throw new Error(`${content.table} was read without keyId.`);
    const refusing = row.keyId === null ? findRefusal(keys, content, row) : undefined;
    return refusing?.then((refusal) => refusal && refusals.set(index, refusal)) ?? [];
  });
  await Promise.all(waits);
  return refusals;
}

/**
 * Returns the error for a plain row whose workspace encrypts all content. Returns undefined instead of a
 * promise if no query is needed to accept the row.
 */
function findRefusal(
  keys: ContentKeys,
  content: Content,
  row: ContentRow,
): Promise<Error | undefined> | undefined {
  const { orgId } = row;
  if (orgId === null || keys.isKnownToAcceptPlain(orgId) || !holdsContent(content, row)) return undefined;
  return keys.mayBePlain(orgId).then((isGenuine) => {
    if (isGenuine) return undefined;
    const filled = [...content.columns].filter(([property]) => hasContent(row[property]));
    const contexts = filled.map(([, column]) => buildContentContext(content.table, column, row));
    const reason = new UndecryptableValue(
      `The content at ${contexts.join(', ')} is not encrypted, although its workspace encrypts all content: it was changed outside of Parley.`,
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

/** Decrypts the content of a row, whose key must be loaded, into a copy. Returns a plain row unchanged. */
function decryptPrepared<R extends ContentRow>(
  keys: ContentKeys,
  { table, columns }: Content,
  row: R,
): Opened<R> {
  if (row.keyId === null) return row as Opened<R>;
  const opened: ObjectLiteral = { ...row };
  for (const [property, column] of columns) {
    const text = decryptValue(keys, table, column, row, row[property]);
    if (text !== undefined) opened[property] = column.type === 'text' ? text : (JSON.parse(text) as unknown);
  }
  return opened as Opened<R>;
}

/**
 * Decrypts a stored column value of a row that has a data key.
 * @returns undefined if the value has no content
 * @throws AppError `key_unavailable`
 * @throws UndecryptableValue that names the column and row, for the log, if the value is not encrypted or
 * cannot be decrypted
 */
function decryptValue(
  keys: ContentKeys,
  table: string,
  column: ContentColumn,
  row: ContentRow,
  stored: unknown,
): string | undefined {
  if (!hasContent(stored)) return undefined;
  const context = buildContentContext(table, column, row);
  const sealed = readSealedText(column, stored);
  if (sealed === null) {
    const reason = new UndecryptableValue(
      `The content at ${context} is not encrypted, although its row has a data key: it was changed outside of Parley.`,
    );
    keys.reportRefusal(reason);
    throw reason;
  }
  const key = keys.requireCachedKey(row.orgId!, row.keyId!);
  try {
    return key.open(sealed, context);
  } catch (cause) {
    throw new UndecryptableValue(
      `The content at ${context} cannot be decrypted: it was changed or moved from another column or row.`,
      {
        cause,
      },
    );
  }
}

/**
 * Decrypts a JSON column that the query returned as text. Returns exactly the JSON text that was encrypted.
 * @throws the errors of `decryptRows`
 */
export async function decryptJson(
  { dataSource }: { dataSource: DataSource },
  entity: EntityTarget<ObjectLiteral>,
  property: string,
  row: ContentRow,
  stored: Sealed<string>,
): Promise<string> {
  const content = requireContent(entity);
  const keys = getContentKeys(dataSource);
  const json = stored as unknown as string;
  if (row.keyId === null && (row.orgId === null || keys.isKnownToAcceptPlain(row.orgId))) return json;
  const value = JSON.parse(json) as unknown;
  const refusal = (await prepareRows(keys, content, [{ ...row, [property]: value }])).get(0);
  if (refusal) throw refusal;
  if (row.keyId === null) return json;
  return decryptValue(keys, content.table, content.columns.get(property)!, row, value) ?? json;
}

function buildContentContext(table: string, { name, boundTo }: ContentColumn, row: ObjectLiteral): string {
  const boundId: unknown = row[boundTo];
  if (typeof boundId !== 'string') throw new Error(`${table} was read or written without ${boundTo}.`);
  return `${table}.${name}:${boundId}`;
}
