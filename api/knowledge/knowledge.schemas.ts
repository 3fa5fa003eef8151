import { Type, type Static } from '@sinclair/typebox';
import {
  Nullable,
  PageParameters,
  PageSchema,
  SingleLine,
  Strict,
  UUID_PATTERN,
  Uuid,
} from '../http/schemas/schemas.ts';
import { document, ENCODING_DESCRIPTION, SourceType, Status } from './document.resource.ts';

const bot_id = Uuid('The bot.');

export const KnowledgeParams = Type.Object({ bot_id });
export const DocumentParams = Type.Object({ bot_id, document_id: Uuid('The document.') });
export const FileParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1000, description: 'The last part of a signed link.' }),
});

/**
 * Maximum bytes of a request body with a document's `raw_text`: JSON escapes can expand its 2,000,000
 * characters to several bytes each.
 */
export const RAW_TEXT_BODY_BYTES = 16 * 1024 * 1024;

export const DocumentListQuery = Type.Object(
  {
    ...PageParameters,
    status: Type.Optional(Status),
    source_type: Type.Optional(SourceType),
    tag: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only documents with this tag.' }),
    ),
    parent_id: Type.Optional(
      Type.String({
        pattern: `^(none|${UUID_PATTERN})$`,
        description: 'Only the pages of this sitemap source; `none` for documents without a sitemap source.',
        examples: ['none', '0198c2f0-7b1e-7c3a-9d0e-3f5a6b7c8d9e'],
      }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Part of the title, the file name or the URL.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const DocumentCreate = Strict(document.create, {
  $id: 'DocumentCreate',
  description: 'A new source of knowledge.',
});

export const DocumentUploadFields = Strict({
  title: Type.Optional(
    SingleLine({
      maxLength: 500,
      description: 'Title in lists and citations. If empty, the title in the file is used.',
    }),
  ),
  encoding: Type.Optional(
    Type.String({
      maxLength: 100,
      description: `${ENCODING_DESCRIPTION} If empty, Parley detects the encoding.`,
    }),
  ),
});

export const DocumentUpdate = Strict(document.update, {
  $id: 'DocumentUpdate',
  description: 'The fields to change; the document is not indexed again.',
});

export const DocumentRead = Type.Object(document.read, {
  $id: 'DocumentRead',
  description: 'A document. Each page of a sitemap is a separate document.',
});
export type DocumentRead = Static<typeof DocumentRead>;

const VectorProgress = Type.Object(
  {
    model: Type.String({ description: 'The embedding model.', examples: ['text-embedding-3-small'] }),
    documents: Type.Integer({ description: 'The bot’s documents that have passages.' }),
    embedded: Type.Integer({ description: 'Documents with vectors of this model.' }),
    failing: Type.Integer({
      description:
        'Documents with passages that the model rejects. Parley retries these documents; keyword search already finds them.',
    }),
  },
  { $id: 'VectorProgress', description: 'Progress of embedding a bot’s passages.' },
);
type VectorProgress = Static<typeof VectorProgress>;

const page = PageSchema(DocumentRead);
export const DocumentPage = Type.Object(
  { ...page.properties, vectors: Type.Optional(VectorProgress) },
  {
    $id: page.$id,
    description: `${page.description} If an embedding model is configured, the page includes the progress of embedding.`,
  },
);

export const DocumentStatusRead = Type.Object(
  {
    id: Uuid('The document’s id.'),
    status: Status,
    chunk_count: Type.Integer({ description: 'Number of indexed passages.' }),
    error_message: Nullable(
      Type.String({ description: 'Reason why the indexing failed, or what a crawl skipped.' }),
    ),
    progress: Nullable(
      Type.Object(
        {
          found: Type.Integer({ description: 'Pages found so far.' }),
          indexed: Type.Integer({ description: 'Found pages that are indexed.' }),
          failed: Type.Integer({ description: 'Pages that could not be fetched or read.' }),
          skipped: Type.Integer({ description: 'Pages that are skipped.' }),
        },
        {
          description:
            'For a sitemap: the progress of the current crawl, or the result of the last one; null for other documents.',
        },
      ),
    ),
  },
  { $id: 'DocumentStatusRead', description: 'The progress of indexing; poll it until the status is final.' },
);
export type DocumentStatusRead = Static<typeof DocumentStatusRead>;

export const DocumentDownload = Type.Object(
  {
    url: Type.String({ description: 'A link that lets its holder fetch the file until it expires.' }),
    expires_in: Type.Integer({ description: 'Seconds until the link expires.', examples: [300] }),
    filename: Type.String({ description: 'The suggested file name.', examples: ['handbook.pdf'] }),
    mime_type: Nullable(
      Type.String({ description: 'Media type of the file.', examples: ['application/pdf'] }),
    ),
  },
  { $id: 'DocumentDownload', description: 'A short-lived link to an original.' },
);
export type DocumentDownload = Static<typeof DocumentDownload>;
