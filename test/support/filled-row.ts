import { isDeepStrictEqual } from 'node:util';
import { getMetadataArgsStorage, type ColumnOptions } from 'typeorm';
import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';

/** Builds a database row with a value in each column of the entity. Texts contain the name of the column's property. */
export function fillRow<T extends object>(entity: new () => T): Opened<T> {
  const columns = getMetadataArgsStorage().filterColumns(entity);
  const values = columns.map(({ propertyName, options }) => [
    propertyName,
    buildValue(propertyName, options),
  ]);
  return Object.fromEntries(values) as Opened<T>;
}

function buildValue(property: string, { type, array }: ColumnOptions): unknown {
  const value = buildSingleValue(property, type);
  return array ? [value] : value;
}

function buildSingleValue(property: string, type: ColumnOptions['type']): unknown {
  const build = builders[String(type)];
  if (!build) throw new Error(`Add a value for the type of ${property}.`);
  return build(`her ${property}`);
}

/** Functions that build a value for a type of column from a text. */
const builders: Readonly<Record<string, (text: string) => unknown>> = {
  uuid: () => newId(),
  text: (text) => text,
  json: (text) => ({ field: text }),
  jsonb: (text) => ({ field: text }),
  boolean: () => true,
  integer: () => 7,
  numeric: () => 7,
  timestamptz: () => new Date('2026-03-04T05:06:07.000Z'),
};

/** Lists the properties whose values are equal in two database rows. */
export function listEqualColumns<T extends object>(one: T, other: Partial<T>): (keyof T)[] {
  return listColumns(one).filter((column) => isDeepStrictEqual(one[column], other[column]));
}

/** Lists the properties whose values differ in two database rows. */
export function listDifferentColumns<T extends object>(one: T, other: Partial<T>): (keyof T)[] {
  return listColumns(one).filter((column) => !isDeepStrictEqual(one[column], other[column]));
}

function listColumns<T extends object>(row: T): (keyof T)[] {
  return Object.keys(row) as (keyof T)[];
}
