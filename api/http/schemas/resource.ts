import {
  Type,
  type Static,
  type TObject,
  type TOptional,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox';
import { Nullable } from './schemas.ts';

type Maybe = TSchema | undefined;

/** A field in each of its shapes; undefined for one that it does not have. */
interface Field<Row, Column, Create extends Maybe, Update extends Maybe, Read extends Maybe> {
  /** How callers give it when they make the resource. */
  create: Create;
  /** How they give it when they change it; a field that is given when it is made is given so, too. */
  update: Update;
  read: Read;
  /** What the service calls it among changes. */
  change: string;
  column: Column;
  present: ((row: Row) => unknown) | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- of any entity
type AnyField = Field<any, any, Maybe, Maybe, Maybe>;
type Fields = Record<string, AnyField>;

type ShapesOf<F extends Fields, S extends 'create' | 'update' | 'read'> = {
  [N in keyof F as F[N][S] extends TSchema ? N : never]: Extract<F[N][S], TSchema>;
};
type UpdatesOf<F extends Fields> = {
  [N in keyof ShapesOf<F, 'update'>]: TOptional<TUnsafe<Static<ShapesOf<F, 'update'>[N]> | null>>;
};

type Presented<V> = V extends Date ? string : V;
type ReadsAs<V, R extends TSchema> = Presented<V> extends Static<R> ? R : never;

/**
 * Makers of the fields of a resource: docs/patterns.md#resources. A schema that says nothing of its meaning gets `means`.
 * @template Row the entity
 * @template Changes what the service takes
 */
export function fieldsOf<Row extends object, Changes extends object>() {
  type Change = keyof Changes & string;
  type Column = keyof Row & string;
  type Present<R extends TSchema> = (row: Row) => Static<R>;
  const valueOf = (column: Column) => (row: Row) => presented(row[column]);
  return {
    /** Given by callers, and stored and read as it comes. */
    stored: <K extends Change & Column, B extends TSchema, R extends TSchema>(
      column: K,
      { means, body, read }: { means?: string; body: B; read: ReadsAs<Row[K], R> & R },
    ): Field<Row, K, B, B, R> => {
      const given = described(body, means);
      return {
        create: given,
        update: given,
        read: described<R>(read, means),
        change: column,
        column,
        present: valueOf(column),
      };
    },
    /** The same, but not chosen when the resource is made. */
    changeable: <K extends Change & Column, B extends TSchema, R extends TSchema>(
      column: K,
      { update, read }: { update: B; read: ReadsAs<Row[K], R> & R },
    ): Field<Row, K, undefined, B, R> => ({
      create: undefined,
      update,
      read,
      change: column,
      column,
      present: valueOf(column),
    }),
    /** Given by callers for the service to act upon; read in another form, or not at all. */
    given: <K extends Change, B extends TSchema>(
      change: K,
      { means, body }: { means?: string; body: B },
    ): Field<Row, never, B, B, undefined> => {
      const given = described(body, means);
      return { create: given, update: given, ...notRead, change };
    },
    /** Asked for with a change of the resource. */
    ordered: <K extends Change, B extends TSchema>(
      change: K,
      update: B,
    ): Field<Row, never, undefined, B, undefined> => ({
      create: undefined,
      update,
      ...notRead,
      change,
    }),
    /** Only read. */
    shown: <K extends Column, R extends TSchema>(
      column: K,
      read: ReadsAs<Row[K], R> & R,
    ): Field<Row, K, undefined, undefined, R> => ({ ...notGiven, read, column, present: valueOf(column) }),
    /** Only read, and made of the row. @param column that it tells of */
    derived: <K extends Column, R extends TSchema>(
      column: K,
      read: R,
      present: Present<R>,
    ): Field<Row, K, undefined, undefined, R> => ({ ...notGiven, read, column, present }),
    /** Given by callers for the service to act upon, and read in another form. */
    translated: <K extends Change, C extends Column, B extends TSchema, R extends TSchema>(
      change: K,
      column: C,
      { body, read }: { body: B; read: R },
      present: Present<R>,
    ): Field<Row, C, B, B, R> => ({ create: body, update: body, read, change, column, present }),
  };
}

const notGiven = { create: undefined, update: undefined, change: '' } as const;
const notRead = { read: undefined, column: undefined as never, present: undefined } as const;

export interface Resource<Row, Changes, F extends Fields> {
  /** The properties of the body that makes one. */
  create: ShapesOf<F, 'create'>;
  /** Those of the body that changes one: all optional, nullable and without defaults. An absent key keeps what is stored. */
  update: UpdatesOf<F>;
  read: ShapesOf<F, 'read'>;
  present(row: Row): Static<TObject<ShapesOf<F, 'read'>>>;
  /** What the service is given of a body; null sets a default again where there is one, and keeps what must not be empty. */
  changesOf(body: object): Changes;
}

/**
 * Everything that is derived from the fields of a resource.
 * @param hidden the columns that no field is about, with the reason: one that is neither does not compile
 */
export function resourceOf<Row extends object, Changes extends object>() {
  return <const F extends Fields>(
    fields: F,
    {
      keptOnNull,
    }: {
      keptOnNull: readonly (keyof F & string)[];
      hidden: Record<Exclude<keyof Row & string, F[keyof F]['column']>, string>;
    },
  ): Resource<Row, Changes, F> => {
    const kept: ReadonlySet<string> = new Set(keptOnNull);
    const entries = Object.entries(fields);
    const presenters = entries.flatMap(([name, { present }]) => (present ? [[name, present] as const] : []));
    const shapes = (shape: 'create' | 'update' | 'read') =>
      entries.flatMap(([name, field]) => (field[shape] ? [[name, field[shape]] as const] : []));
    return {
      create: Object.fromEntries(shapes('create')) as ShapesOf<F, 'create'>,
      update: Object.fromEntries(
        shapes('update').map(([name, schema]) => [name, Type.Optional(changeOf(schema, kept.has(name)))]),
      ) as UpdatesOf<F>,
      read: Object.fromEntries(shapes('read')) as ShapesOf<F, 'read'>,
      present: (row) => {
        const shown: Record<string, unknown> = {};
        for (const [name, present] of presenters) shown[name] = present(row);
        return shown as Static<TObject<ShapesOf<F, 'read'>>>;
      },
      changesOf: (body) =>
        Object.fromEntries(
          Object.entries(body)
            .filter(([name, value]) => value !== undefined && (value !== null || !kept.has(name)))
            .map(([name, value]) => [fields[name]!.change, applied(fields[name]!, value)]),
        ) as Changes,
    };
  };
}

function applied({ create }: AnyField, value: unknown): unknown {
  const fallback: unknown = create?.['default'];
  return value === null && fallback !== undefined ? structuredClone(fallback) : value;
}

function presented(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

function described<S extends TSchema>(schema: S, means: string | undefined): S {
  if (means === undefined || schema.description !== undefined) return schema;
  return { ...schema, description: means };
}

const KEEPS_ON_NULL = 'Null keeps it.';

function changeOf(schema: TSchema, isKept: boolean): TSchema {
  const { default: fallback, ...rest } = schema;
  if (Array.isArray(schema['type'])) return rest as TSchema;
  // What has a name is the same everywhere.
  if (schema.$id !== undefined || (fallback === undefined && !isKept)) return Nullable(rest as TSchema);
  const nulled = isKept ? KEEPS_ON_NULL : `Null sets the default again: ${JSON.stringify(fallback)}.`;
  return Nullable({ ...rest, description: `${rest.description} ${nulled}` } as TSchema);
}
