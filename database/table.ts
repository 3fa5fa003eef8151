import { getMetadataArgsStorage } from 'typeorm';

/** Names of an entity's table and columns for hand-written SQL. The compiler rejects unknown properties. */
export interface TableNames<T> {
  /** Returns the SQL name of a property's column, qualified by the alias: `m.user_id`. */
  (property: keyof T & string): string;
  /** Returns table and alias for FROM: `memberships m`. */
  readonly from: string;
  /** Returns the table's name for INSERT: `memberships`. */
  readonly table: string;
  /** Returns column names without alias, for INSERT and SET: `user_id, role`. */
  bare(...properties: (keyof T & string)[]): string;
  /** Returns columns with types for `json_to_recordset`: `"userId" uuid, "role" text`. */
  typed(...properties: (keyof T & string)[]): string;
  /** Returns array parameters for `unnest`, numbered from `first`: `$1::uuid[], $2::text[]`. */
  arrays(first: number, ...properties: (keyof T & string)[]): string;
  /** SQL list of all columns for SELECT and RETURNING, named by property. */
  readonly all: string;
  /** Returns an SQL list of columns for SELECT and RETURNING, named by property: `m.user_id AS "userId"`. */
  as(...properties: (keyof T & string)[]): string;
}

/** @param alias short name of the table in the SQL statement */
export function aliasTable<T extends object>(entity: new () => T, alias: string): TableNames<T> {
  const storage = getMetadataArgsStorage();
  const table = storage.filterTables(entity)[0]?.name;
  if (table === undefined) throw new Error(`${entity.name} is not an entity.`);
  const columns = new Map(
    storage.filterColumns(listAncestry(entity)).map(({ propertyName, options }) => [propertyName, options]),
  );
  const bareName = (property: string): string => {
    const name = columns.get(property)?.name;
    if (name === undefined)
      throw new Error(`${entity.name}.${property} is not a column, or its column has no name.`);
    return name;
  };
  const toColumnType = (property: string): string => {
    const { type, array = false } = columns.get(property)!;
    if (typeof type !== 'string') throw new Error(`${entity.name}.${property} has no PostgreSQL type.`);
    return array ? `${type}[]` : type;
  };
  const toColumnName = (property: string) => `${alias}.${bareName(property)}`;
  const as = (...properties: string[]) =>
    properties.map((property) => `${toColumnName(property)} AS "${property}"`).join(', ');
  return Object.assign(toColumnName, {
    from: `${table} ${alias}`,
    table,
    bare: (...properties: string[]) => properties.map(bareName).join(', '),
    typed: (...properties: string[]) =>
      properties.map((each) => `"${each}" ${toColumnType(each)}`).join(', '),
    arrays: (first: number, ...properties: string[]) =>
      properties.map((each, index) => `$${first + index}::${toColumnType(each)}[]`).join(', '),
    as,
    all: as(...columns.keys()),
  });
}

/** Returns an entity's class and its base classes: an entity inherits their columns. */
function listAncestry(entity: Function): Function[] {
  const parent: unknown = Object.getPrototypeOf(entity);
  return typeof parent === 'function' && parent !== Function.prototype
    ? [entity, ...listAncestry(parent)]
    : [entity];
}
