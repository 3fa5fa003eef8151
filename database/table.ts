import { getMetadataArgsStorage } from 'typeorm';

/** The names of an entity's table and columns, for SQL by hand: one that is no property of the entity does not compile. */
export interface TableNames<T> {
  /** A column: `m.user_id`. */
  (property: keyof T & string): string;
  /** For FROM: `memberships m`. */
  readonly from: string;
  /** The bare name, for INSERT: `memberships`. */
  readonly table: string;
  /** Bare names of columns, for INSERT and SET: `user_id, role`. */
  bare(...properties: (keyof T & string)[]): string;
  /** For `json_to_recordset`: names of properties, and the types of their columns: `"userId" uuid, "role" text`. */
  typed(...properties: (keyof T & string)[]): string;
  /** For SELECT and RETURNING: all columns, named as the properties are. */
  readonly all: string;
  /** For SELECT and RETURNING, named as the properties are: `m.user_id AS "userId"`. */
  as(...properties: (keyof T & string)[]): string;
}

/** @param alias what the statement calls the table */
export function tableOf<T extends object>(entity: new () => T, alias: string): TableNames<T> {
  const storage = getMetadataArgsStorage();
  const table = storage.filterTables(entity)[0]?.name;
  if (table === undefined) throw new Error(`${entity.name} is no entity.`);
  const columns = new Map(
    storage.filterColumns(inheritanceOf(entity)).map(({ propertyName, options }) => [propertyName, options]),
  );
  const bareName = (property: string): string => {
    const name = columns.get(property)?.name;
    if (name === undefined) throw new Error(`${entity.name}.${property} is no column with a name.`);
    return name;
  };
  const typeOf = (property: string): string => {
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
    typed: (...properties: string[]) => properties.map((each) => `"${each}" ${typeOf(each)}`).join(', '),
    as,
    all: as(...columns.keys()),
  });
}

/** The class and those that it extends, whose columns are its own. */
function inheritanceOf(entity: Function): Function[] {
  const parent: unknown = Object.getPrototypeOf(entity);
  return typeof parent === 'function' && parent !== Function.prototype
    ? [entity, ...inheritanceOf(parent)]
    : [entity];
}
