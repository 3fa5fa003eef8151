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

/**
 * A field of an API resource with its schemas for requests and responses. A form that the field does not have
 * is undefined.
 */
interface Field<Row, Column, Create extends Maybe, Update extends Maybe, Read extends Maybe> {
  /** Schema of the field in requests that create the resource. */
  create: Create;
  /** Schema of the field in updates; by default the schema for creation. */
  update: Update;
  read: Read;
  /** Name of the field in the changes that the service accepts. */
  change: string;
  column: Column;
  present: ((row: Row) => unknown) | undefined;
  /**
   * Derives from a database row the input that would recreate the field, without secrets; undefined if that
   * is impossible.
   */
  toInput: ((row: Row) => unknown) | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- of any entity
type AnyField = Field<any, any, Maybe, Maybe, Maybe>;
type Fields = Record<string, AnyField>;

type ShapesOf<F extends Fields, S extends 'create' | 'update' | 'read'> = {
  [N in keyof F as F[N][S] extends TSchema ? N : never]: Extract<F[N][S], TSchema>;
};
type UpdatesOf<F extends Fields, K> = {
  [N in keyof ShapesOf<F, 'update'>]: K extends string
    ? TOptional<TUnsafe<Static<ShapesOf<F, 'update'>[N]> | null>>
    : TOptional<ShapesOf<F, 'update'>[N]>;
};

type PresentedValue<V> = V extends Date ? string : V;
type ReadsAs<V, R extends TSchema> = PresentedValue<V> extends Static<R> ? R : never;

/** Options of a resource field that requests can set. */
interface InputOptions {
  /** Description of the field in requests and responses; unnecessary if its schemas have their own. */
  description?: string;
  body: TSchema;
  /** Schema of the field in updates, if it differs from the schema for creation. */
  update?: TSchema;
  /** Limits the field to creation or to updates of the resource; by default, both accept the field. */
  on?: 'create' | 'update';
}
type CreateOf<G extends InputOptions> = G['on'] extends 'update' ? undefined : G['body'];
type UpdateOf<G extends InputOptions> = G['on'] extends 'create'
  ? undefined
  : G['update'] extends TSchema
    ? G['update']
    : G['body'];

/**
 * Returns functions that define the fields of a resource (docs/patterns.md#resources).
 * @template Row entity of the resource
 * @template Changes changes that the service accepts
 */
export function createFieldFactories<Row extends object, Changes extends object>() {
  type Change = keyof Changes & string;
  type Column = keyof Row & string;
  type Presenter<R extends TSchema> = (row: Row) => Static<R>;
  const readColumn = (column: Column) => (row: Row) => presentValue(row[column]);
  return {
    /** Defines a field that is accepted, stored and returned unchanged. */
    storedField: <K extends Change & Column, G extends InputOptions, R extends TSchema>(
      column: K,
      options: G & { read: ReadsAs<Row[K], R> & R },
    ): Field<Row, K, CreateOf<G>, UpdateOf<G>, R> => ({
      ...buildBodies(options),
      read: withDescription<R>(options.read, options.description),
      change: column,
      column,
      present: readColumn(column),
      toInput: readColumn(column),
    }),
    /** Defines a write-only field of a resource, whose input the service processes. */
    inputField: <K extends Change, G extends InputOptions>(
      change: K,
      options: G,
    ): Field<Row, never, CreateOf<G>, UpdateOf<G>, undefined> => ({
      ...buildBodies(options),
      read: undefined,
      change,
      column: undefined as never,
      present: undefined,
      toInput: undefined,
    }),
    /**
     * Defines a resource field whose input the service processes, and which responses show in another form.
     * @param toInput derives from a row the input that would recreate the field, without secrets
     */
    convertedField: <K extends Change, C extends Column, G extends InputOptions, R extends TSchema>(
      change: K,
      column: C,
      options: G & { read: R },
      present: Presenter<R>,
      toInput?: (row: Row) => Changes[K],
    ): Field<Row, C, CreateOf<G>, UpdateOf<G>, R> => ({
      ...buildBodies(options),
      read: withDescription<R>(options.read, options.description),
      change,
      column,
      present,
      toInput,
    }),
    /** Defines a read-only field of a resource. */
    readOnlyField: <K extends Column, R extends TSchema>(
      column: K,
      read: ReadsAs<Row[K], R> & R,
    ): Field<Row, K, undefined, undefined, R> => ({ ...noInput, read, column, present: readColumn(column) }),
    /**
     * Defines a read-only field of a resource that is computed from the database row.
     * @param column column that the value depends on
     */
    computedField: <K extends Column, R extends TSchema>(
      column: K,
      read: R,
      present: Presenter<R>,
    ): Field<Row, K, undefined, undefined, R> => ({ ...noInput, read, column, present }),
  };
}

const noInput = { create: undefined, update: undefined, change: '', toInput: undefined } as const;

function buildBodies<G extends InputOptions>({ description, body, update = body, on }: G) {
  return {
    create: (on === 'update' ? undefined : withDescription(body, description)) as CreateOf<G>,
    update: (on === 'create' ? undefined : withDescription(update, description)) as UpdateOf<G>,
  };
}

/**
 * A resource of the API, with the schemas and conversions of its fields.
 * @template K names of fields that null leaves unchanged, if null resets all other fields to their defaults;
 *   undefined if not
 */
export interface Resource<Row, Changes, F extends Fields, K> {
  /** Properties of the body of a request that creates the resource. */
  create: ShapesOf<F, 'create'>;
  /**
   * Properties of the body of an update, all optional and without defaults: a missing key leaves the stored
   * value unchanged.
   */
  update: UpdatesOf<F, K>;
  read: ShapesOf<F, 'read'>;
  /**
   * The properties that configure the resource: accepted on creation and in updates, and readable. Excludes
   * states and actions, which only updates accept, and secrets.
   */
  configuration: Record<string, TSchema>;
  present(row: Row): Static<TObject<ShapesOf<F, 'read'>>>;
  /** Returns the configuration of a database row as input that would recreate the resource. */
  toConfiguration(row: Row): Record<string, unknown>;
  /** Converts the body of a request to the changes that the service accepts. */
  toChanges(body: object): Changes;
}

/**
 * Returns a function that defines a resource by its fields.
 * @param hidden columns that the API does not show, with the reason; any column that is not hidden and has no
 *   field is a type error
 * @param unchangedOnNull names of fields that null leaves unchanged, while null resets all other fields to their
 *   defaults
 */
export function createResourceFactory<Row extends object, Changes extends object>() {
  return <const F extends Fields, const K extends (keyof F & string) | undefined = undefined>(
    fields: F,
    {
      unchangedOnNull,
    }: {
      hidden: Record<Exclude<keyof Row & string, F[keyof F]['column']>, string>;
      unchangedOnNull?: readonly K[];
    },
  ): Resource<Row, Changes, F, K> => {
    const unchangedFields = unchangedOnNull && new Set<unknown>(unchangedOnNull);
    const entries = Object.entries(fields);
    const presenters = entries.flatMap(([name, { present }]) => (present ? [[name, present] as const] : []));
    const shapes = (shape: 'create' | 'update' | 'read') =>
      entries.flatMap(([name, field]) => (field[shape] ? [[name, field[shape]] as const] : []));
    const buildUpdate = (name: string, schema: TSchema) =>
      unchangedFields ? toUpdateSchema(schema, unchangedFields.has(name)) : schema;
    const update = Object.fromEntries(
      shapes('update').map(([name, schema]) => [name, Type.Optional(buildUpdate(name, schema))]),
    );
    const configured = entries.flatMap(([name, { create, update: updateSchema, toInput }]) =>
      create && updateSchema && toInput ? [[name, toInput] as const] : [],
    );
    return {
      create: Object.fromEntries(shapes('create')) as ShapesOf<F, 'create'>,
      update: update as UpdatesOf<F, K>,
      read: Object.fromEntries(shapes('read')) as ShapesOf<F, 'read'>,
      configuration: Object.fromEntries(configured.map(([name]) => [name, update[name]!])),
      toConfiguration: (row) =>
        Object.fromEntries(configured.map(([name, toInput]) => [name, toInput(row) as unknown])),
      present: (row) => {
        const body: Record<string, unknown> = {};
        for (const [name, present] of presenters) {
          const value: unknown = present(row);
          if (value !== undefined) body[name] = value;
        }
        return body as Static<TObject<ShapesOf<F, 'read'>>>;
      },
      toChanges: (body) =>
        Object.fromEntries(
          Object.entries(body)
            .filter(([name, value]) => value !== undefined && (value !== null || !unchangedFields?.has(name)))
            .map(([name, value]) => [
              fields[name]!.change,
              unchangedFields ? applyDefault(fields[name]!, value) : value,
            ]),
        ) as Changes,
    };
  };
}

function applyDefault({ create }: AnyField, value: unknown): unknown {
  const fallback: unknown = create?.['default'];
  return value === null && fallback !== undefined ? structuredClone(fallback) : value;
}

function presentValue(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}

function withDescription<S extends TSchema>(schema: S, description: string | undefined): S {
  if (description === undefined || schema.description !== undefined) return schema;
  return { ...schema, description };
}

const KEEPS_ON_NULL = 'Null leaves the field unchanged.';

function toUpdateSchema(schema: TSchema, isKept: boolean): TSchema {
  const { default: fallback, ...rest } = schema;
  if (Array.isArray(schema['type'])) return rest as TSchema;
  // Adds no field description to a schema with an `$id`, since such a schema must be identical in every
  // place.
  if (schema.$id !== undefined || (fallback === undefined && !isKept)) return Nullable(rest as TSchema);
  const nulled = isKept ? KEEPS_ON_NULL : `Null restores the default: ${JSON.stringify(fallback)}.`;
  return Nullable({ ...rest, description: `${rest.description} ${nulled}` } as TSchema);
}
