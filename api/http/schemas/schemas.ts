import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import { FREE_FORM_BOUNDS } from '../../../core/free-form.ts';

export { SingleLine } from '../../../core/text/single-line-schema.ts';

/**
 * Makes a schema nullable. Its type becomes a list of two types rather than a union, so that validators fill
 * in defaults and report exact fields.
 */
export function Nullable<T extends TSchema>(schema: T) {
  const { type, enum: values } = schema as { type?: string; enum?: unknown[] };
  if (typeof type !== 'string') throw new Error('Only a schema with one type can become nullable.');
  return Type.Unsafe<Static<T> | null>({
    ...(JSON.parse(JSON.stringify(schema)) as object),
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  });
}

/** Declares a string that has one of the given values. */
export function StringEnum<const V extends readonly string[]>(values: V, options: object = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options });
}

/** Declares an object that refuses unknown keys. Every request body is such an object. */
export function Strict<P extends Record<string, TSchema>>(properties: P, options: object = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

const HEX = '[0-9a-fA-F]';
/** Regular expression for an id (UUID), for parameters that also accept other values. */
export const UUID_PATTERN = `${HEX}{8}(-${HEX}{4}){3}-${HEX}{12}`;

export const Uuid = (description?: string) =>
  Type.String({
    format: 'uuid',
    ...(description && { description }),
    examples: ['0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b'],
  });

/** Declares a point in time as a string: ISO 8601 in UTC, with milliseconds. */
export const DateTime = (description?: string) =>
  Type.String({
    format: 'date-time',
    ...(description && { description }),
    examples: ['2026-09-03T10:15:30.000Z'],
  });

/** Declares a calendar date without a time. */
export const CalendarDay = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-09-03'] });

/** Declares a JSON object with any keys. */
export const FreeForm = (description?: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    ...(description && { description }),
  });

/** JSON Schema keyword: maximum number of values in a free-form object, at any depth. */
export const MAX_VALUES_KEYWORD = 'x-max-values';

/** JSON Schema keyword: undeclared keys are stored as sent, within the limits of `core/free-form.ts`. */
export const FREE_FORM_KEYWORD = 'x-free-form';

/** Declares an object in a request whose undeclared keys are stored and returned as sent. */
export function Open<P extends Record<string, TSchema>>(
  properties: P,
  { description, ...options }: { description: string; $id?: string },
): TObject<P> {
  return Type.Object(properties, {
    ...options,
    additionalProperties: true,
    [FREE_FORM_KEYWORD]: true,
    description: `${description} Further keys are stored and returned as sent, at most ${FREE_FORM_BOUNDS} of them.`,
  });
}

/** Declares a JSON object with any keys in a request. */
export const FreeFormBody = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    [FREE_FORM_KEYWORD]: true,
    description: `${description} At most ${FREE_FORM_BOUNDS}.`,
  });

export const PageParameters = {
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100000,
      description: 'Page number, from 1. Cannot be combined with cursor.',
    }),
  ),
  page_size: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Rows per page.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'next_cursor of the previous page, with the same filters; page_size may change.',
    }),
  ),
};

export const PageSchema = <T extends TSchema>(item: T) =>
  Type.Object(
    {
      items: Type.Array(item, { description: 'The rows of the page.' }),
      total: Type.Integer({
        description:
          'Number of rows that match the filters. Pages requested by number count the rows again; pages requested by cursor repeat the count of the first page.',
      }),
      page: Type.Integer({ description: 'Number of this page; with a cursor, counted from the first page.' }),
      page_size: Type.Integer({ description: 'Maximum number of rows per page.' }),
      has_more: Type.Boolean({ default: false, description: 'Whether older rows follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Cursor of the next page; null on the last page.' })),
    },
    { $id: `PaginatedResponse_${item.$id}`, description: `A page of ${item.$id}.` },
  );

export const Message = Type.Object(
  {
    message: Type.String({ description: 'A human-readable description.', examples: ['The bot is deleted.'] }),
    ok: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Always true: a failed request returns a problem instead.',
      }),
    ),
  },
  { $id: 'Message', description: 'A confirmation.' },
);
