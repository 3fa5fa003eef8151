import { Type, type Static } from '@sinclair/typebox';
import { documentSourceTypes, documentStatuses } from '../../entities/knowledge/document.entity.ts';
import {
  DateTime,
  Nullable,
  OneOf,
  PageParameters,
  Strict,
  Uuid,
  UUID_PATTERN,
} from '../http/schemas/schemas.ts';

const Status = OneOf(documentStatuses, { description: 'indexed and failed are final.' });
const SourceType = OneOf(documentSourceTypes, { description: 'Where the content comes from.' });

const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 20,
  description: 'Free labels, to filter lists and searches by.',
});

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

export const DocumentCreate = Strict(
  {
    source_type: OneOf(['url', 'raw_text', 'sitemap'] as const, { description: SourceType.description }),
    url: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2000,
          description:
            'A public page; for a sitemap source the address of a site or of its sitemap. Required by both.',
          examples: ['https://example.com/help'],
        }),
      ),
    ),
    raw_text: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 2_000_000,
          description: 'Plain text or Markdown; required by raw_text sources.',
        }),
      ),
    ),
    title: Type.Optional(
      Type.String({
        maxLength: 500,
        default: '',
        description: 'Empty for the one that the source gives itself.',
      }),
    ),
    tags: Type.Optional({ ...Tags, default: [] }),
    max_pages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 200,
        default: 25,
        description: 'Pages that a sitemap source takes at most.',
      }),
    ),
  },
  { $id: 'DocumentCreate', description: 'A new source of knowledge.' },
);

export const DocumentUploadFields = Strict({
  title: Type.Optional(
    Type.String({ maxLength: 500, description: 'Empty for the one that the file gives itself.' }),
  ),
});

export const DocumentUpdate = Strict(
  {
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'What lists and citations show.',
      }),
    ),
    tags: Type.Optional(Tags),
  },
  { $id: 'DocumentUpdate', description: 'The fields to change; nothing is indexed again.' },
);

const CrawlCounts = Type.Object(
  {
    found: Type.Integer({ description: 'Pages that the sitemap lists.' }),
    fetched: Type.Integer({ description: 'Of these, pages that were indexed.' }),
    skipped: Type.Integer({
      description:
        'Pages that were not asked for: beyond max_pages, on another site, or refused by robots.txt.',
    }),
    failed: Type.Integer({ description: 'Pages that could not be fetched or read.' }),
  },
  {
    description:
      'Of a sitemap: what its last crawl made of the pages. Its own counts are the sums of theirs then.',
  },
);

export const DocumentRead = Type.Object(
  {
    id: Uuid('The document’s id.'),
    source_type: SourceType,
    title: Type.String({ description: 'What lists and citations show.' }),
    status: Status,
    chunk_count: Type.Integer({ default: 0, description: 'Passages that answers can be drawn from.' }),
    token_count: Type.Integer({ default: 0, description: 'Tokens in them.' }),
    embedding_model: Nullable(Type.String({ description: 'The model of their vectors; null without any.' })),
    error_message: Nullable(
      Type.String({ description: 'Why the indexing failed, or what a crawl left out.' }),
    ),
    mime_type: Nullable(
      Type.String({ description: 'Media type of the original.', examples: ['application/pdf'] }),
    ),
    size_bytes: Type.Integer({ default: 0, description: 'Size of the original.' }),
    source_url: Nullable(Type.String({ description: 'Where it came from.' })),
    parent_id: Type.Optional(Uuid('Of a page that came with a sitemap source: that source.')),
    crawl: Type.Optional(CrawlCounts),
    tags: Type.Array(Type.String(), { description: Tags.description }),
    created_at: DateTime('When it was added.'),
    updated_at: DateTime('When it was changed last.'),
  },
  { $id: 'DocumentRead', description: 'A document; the pages of a sitemap are documents of their own.' },
);
export type DocumentRead = Static<typeof DocumentRead>;

export const DocumentStatusRead = Type.Object(
  {
    id: Uuid('The document’s id.'),
    status: Status,
    chunk_count: Type.Integer({ description: 'Passages that answers can be drawn from.' }),
    error_message: Nullable(
      Type.String({ description: 'Why the indexing failed, or what a crawl left out.' }),
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
