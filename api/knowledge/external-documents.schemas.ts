import { Type, type Static } from '@sinclair/typebox';
import { invalidField } from '../../core/errors/errors.ts';
import type { FileFields } from '../../services/knowledge/external-documents.ts';
import { Nullable, PageParameters, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';
import { assertValid, compileCheck } from '../http/schemas/validate.ts';
import { document, ENCODING_DESCRIPTION, Refresh, Tags } from './document.resource.ts';

const bot_id = Uuid('The bot.');

/**
 * Pattern of an external document id: printable text with a visible character that can be a segment of a
 * path.
 */
const EXTERNAL_ID = '(?!(\\.{1,2}|upload)$)(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+';
const externalId = {
  maxLength: 255,
  examples: ['docs/intro.md'],
  description:
    'Your own id for the document, unique in the bot: 1 to 255 printable characters, but not `.`, `..` or `upload`. In a path, encode a slash as `%2F`.',
};
const ExternalId = Type.String({ ...externalId, minLength: 1, pattern: `^${EXTERNAL_ID}$` });

export const ExternalDocumentsParams = Type.Object({ bot_id });
export const ExternalDocumentParams = Type.Object({ bot_id, external_id: ExternalId });

export const ExternalDocumentsQuery = Type.Object(
  {
    ...PageParameters,
    prefix: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Beginning of the external_id.',
        examples: ['docs/'],
      }),
    ),
  },
  { additionalProperties: false },
);

const Title = SingleLine({
  maxLength: 500,
  description:
    'If omitted or empty, a new document gets the title in its content, and an existing document keeps its title.',
});
const KEEPS = 'If omitted, an existing document keeps its current value.';

const { url, raw_text } = document.create;

export const DocumentPut = Strict(
  {
    source_type: StringEnum(['raw_text', 'url'] as const, { description: 'The source of the content.' }),
    raw_text,
    url: { ...url, description: 'A public page; required by url sources.' },
    title: Type.Optional(Title),
    tags: Type.Optional({ ...Tags, description: `${Tags.description} ${KEEPS}` }),
    refresh: Type.Optional({ ...Refresh, description: `${Refresh.description} ${KEEPS}` }),
  },
  { $id: 'DocumentPut', description: 'The content of a document with an external_id.' },
);

export const DocumentFileFields = Strict({
  external_id: Type.Optional(
    Type.String({
      ...externalId,
      pattern: `^(${EXTERNAL_ID})?$`,
      description: `${externalId.description} If omitted or empty, the document has no external_id, and each call creates another document.`,
    }),
  ),
  title: Type.Optional(Title),
  tags: Type.Optional(
    Type.String({
      maxLength: 16_000,
      description: `A JSON array of at most 20 strings of 1 to 100 characters. ${Tags.description} If omitted or empty, an existing document keeps its tags.`,
      examples: ['["manual"]'],
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `${ENCODING_DESCRIPTION} If empty, Parley detects the encoding.`,
      examples: ['windows-1251'],
    }),
  ),
  deduplicate: Type.Optional(
    StringEnum(['true', 'false', ''] as const, {
      description:
        '`true`: if a document of the bot has the same content, return that document. Cannot be combined with external_id.',
    }),
  ),
});

const checkTags = compileCheck(Type.Object({ tags: Tags }), 'body');

/**
 * Converts the form fields of a document's upload. Forms send an empty text for an omitted field.
 * @throws AppError `validation_error` if `tags` is not a list of tags
 */
export function readFileFields(fields: Record<string, string>): FileFields {
  const { external_id, title, tags, encoding, deduplicate } = fields;
  return {
    externalId: external_id || null,
    title,
    tags: tags ? readTags(tags) : undefined,
    encoding,
    deduplicate: deduplicate === 'true',
  };
}

function readTags(text: string): string[] {
  const tags = parseList(text);
  if (tags === null)
    throw invalidField('tags', 'must be a JSON array of texts in one field, such as tags=["a","b"]');
  assertValid(checkTags({ tags }));
  return tags as string[];
}

function parseList(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

export const ExternalDocumentRead = Type.Object(
  { ...document.read, external_id: Type.String(externalId) },
  { $id: 'ExternalDocumentRead', description: 'A document with an external_id.' },
);
export type ExternalDocumentRead = Static<typeof ExternalDocumentRead>;

export const PutDocumentRead = Type.Object(
  {
    ...document.read,
    external_id: Nullable(
      Type.String({ ...externalId, description: 'Your own id for the document; null without one.' }),
    ),
    outcome: StringEnum(['created', 'replaced', 'unchanged'] as const, {
      description:
        '`created`: a new document. `replaced`: its content is indexed again. `unchanged`: the bot has this content already, and nothing is indexed.',
    }),
  },
  { $id: 'PutDocumentRead', description: 'A document that was created, replaced or found unchanged.' },
);
export type PutDocumentRead = Static<typeof PutDocumentRead>;
