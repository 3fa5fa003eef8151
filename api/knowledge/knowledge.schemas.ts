import { Type, type Static } from '@sinclair/typebox';
import { Nullable, PageOf, PageParameters, Strict, Uuid, UUID_PATTERN } from '../http/schemas/schemas.ts';
import { document, SourceType, Status } from './document.resource.ts';

const bot_id = Uuid('The bot.');

export const KnowledgeParams = Type.Object({ bot_id });
export const DocumentParams = Type.Object({ bot_id, document_id: Uuid('The document.') });
export const FileParams = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 1000, description: 'The last part of a signed link.' }),
});

export const DocumentListQuery = Type.Object(
  {
    ...PageParameters,
    status: Type.Optional(Status),
    source_type: Type.Optional(SourceType),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'One of its tags.' })),
    parent_id: Type.Optional(
      Type.String({
        pattern: `^(none|${UUID_PATTERN})$`,
        description: 'Only the pages of this sitemap source; `none` for what is no page of any.',
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
    Type.String({ maxLength: 500, description: 'Empty for the one that the file gives itself.' }),
  ),
});

export const DocumentUpdate = Strict(document.update, {
  $id: 'DocumentUpdate',
  description: 'The fields to change; nothing is indexed again.',
});

export const DocumentRead = Type.Object(document.read, {
  $id: 'DocumentRead',
  description: 'A document; the pages of a sitemap are documents of their own.',
});
export type DocumentRead = Static<typeof DocumentRead>;

const VectorProgress = Type.Object(
  {
    model: Type.String({ description: 'The model that makes them.', examples: ['text-embedding-3-small'] }),
    documents: Type.Integer({ description: 'The bot’s documents that have passages.' }),
    embedded: Type.Integer({ description: 'Those of them that have vectors of this model.' }),
    failing: Type.Integer({
      description:
        'Those with passages that the model does not take; they are tried again, and found by their words.',
    }),
  },
  { $id: 'VectorProgress', description: 'How far the vectors of a bot’s passages are.' },
);
type VectorProgress = Static<typeof VectorProgress>;

const page = PageOf(DocumentRead);
export const DocumentPage = Type.Object(
  { ...page.properties, vectors: Type.Optional(VectorProgress) },
  {
    $id: page.$id,
    description: `${page.description} Where a model makes vectors, it says how far they are.`,
  },
);

export const DocumentStatusRead = Type.Object(
  {
    id: Uuid('The document’s id.'),
    status: Status,
    chunk_count: Type.Integer({ description: 'Passages that answers can be drawn from.' }),
    error_message: Nullable(
      Type.String({ description: 'Why the indexing failed, or what a crawl left out.' }),
    ),
    progress: Nullable(
      Type.Object(
        {
          found: Type.Integer({ description: 'Pages found so far.' }),
          indexed: Type.Integer({ description: 'Of these, pages that are indexed.' }),
          failed: Type.Integer({ description: 'Pages that could not be fetched or read.' }),
          skipped: Type.Integer({ description: 'Pages that are left out.' }),
        },
        {
          description:
            'Of a sitemap: how far its present crawl is, or what came of the last one; null for others.',
        },
      ),
    ),
  },
  { $id: 'DocumentStatusRead', description: 'How far the indexing is; poll it until the status is final.' },
);
export type DocumentStatusRead = Static<typeof DocumentStatusRead>;

export const DocumentDownload = Type.Object(
  {
    url: Type.String({ description: 'Whoever has this link can fetch the file while it lasts.' }),
    expires_in: Type.Integer({ description: 'Seconds that the link lasts.', examples: [300] }),
    filename: Type.String({ description: 'The name to save it by.', examples: ['handbook.pdf'] }),
    mime_type: Nullable(
      Type.String({ description: 'Media type of the file.', examples: ['application/pdf'] }),
    ),
  },
  { $id: 'DocumentDownload', description: 'A short-lived link to an original.' },
);
export type DocumentDownload = Static<typeof DocumentDownload>;
