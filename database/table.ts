import { getMetadataArgsStorage } from 'typeorm';

/** Names of an entity's table and columns for hand-written SQL. An unknown property does not compile. */
export interface TableNames<T> {
  /** Returns a qualified column: `m.user_id`. */
  (property: keyof T & string): string;
  /** Table and alias for FROM: `memberships m`. */
  readonly from: string;
  /** Bare table name for INSERT: `memberships`. */
  readonly table: string;
  /** Returns bare column names for INSERT and SET: `user_id, role`. */
  bare(...properties: (keyof T & string)[]): string;
  /** Returns property names with column types for `json_to_recordset`: `"userId" uuid, "role" text`. */
  typed(...properties: (keyof T & string)[]): string;
  /** All columns for SELECT and RETURNING, aliased by property name. */
  readonly all: string;
  /** Returns columns for SELECT and RETURNING, aliased by property name: `m.user_id AS "userId"`. */
  as(...properties: (keyof T & string)[]): string;
}

/** @param alias the table's alias in the statement */
export function aliasTable<T extends object>(entity: new () => T, alias: string): TableNames<T> {
  const storage = getMetadataArgsStorage();
  const table = storage.filterTables(entity)[0]?.name;
  if (table === undefined) throw new Error(`${entity.name} is no entity.`);
  const columns = new Map(
    storage.filterColumns(listAncestry(entity)).map(({ propertyName, options }) => [propertyName, options]),
  );
  const bareName = (property: string): string => {
    const name = columns.get(property)?.name;
    if (name === undefined) throw new Error(`${entity.name}.${property} is no column with a name.`);
    return name;
  };
  const toColumnType = (property: string): string => {
    const { type, array = false } = columns.get(property)!;
    if (typeof type !== 'string') throw new Error(`${entity.name}.${property} has no type of PostgreSQL.`);
    return array ? `${type}[]` : type;
  };
  const column = (property: string) => `${alias}.${bareName(property)}`;
  const as = (...properties: string[]) =>
    properties.map((property) => `${column(property)} AS "${property}"`).join(', ');
  return Object.assign(column, {
    from: `${table} ${alias}`,
    table,
    bare: (...properties: string[]) => properties.map(bareName).join(', '),
    typed: (...properties: string[]) =>
      properties.map((each) => `"${each}" ${toColumnType(each)}`).join(', '),
    as,
    all: as(...columns.keys()),
  });
}

/** Returns the class and its ancestors, whose columns it inherits. */
function listAncestry(entity: Function): Function[] {
  const parent: unknown = Object.getPrototypeOf(entity);
  return typeof parent === 'function' && parent !== Function.prototype
    ? [entity, ...listAncestry(parent)]
    : [entity];
}
