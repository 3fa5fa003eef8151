import { Type } from '@sinclair/typebox';
import {
  documentSourceTypes,
  refreshRates,
  documentStatuses,
  type Document,
} from '../../entities/knowledge/document.entity.ts';
import type { DocumentInput } from '../../services/knowledge/document-intake.ts';
import { selectMessage } from '../../services/knowledge/document-message.ts';
import { toDisplayTitle } from '../../services/knowledge/document-title.ts';
import { createFieldFactories, createResourceFactory } from '../http/schemas/resource.ts';
import { DateTime, Nullable, SingleLine, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const Status = StringEnum(documentStatuses, {
  description: 'State of the indexing; indexed and failed are final.',
});
export const SourceType = StringEnum(documentSourceTypes, { description: 'The source of the content.' });

export const Tag = SingleLine({ minLength: 1, maxLength: 100 });
export const Tags = Type.Array(Tag, {
  maxItems: 20,
  description: 'Labels for filtering lists and searches.',
});

const CrawlCounts = Type.Object(
  {
    found: Type.Integer({
      description: 'Pages in the sitemap or, if there is no sitemap, pages found by following links.',
    }),
    fetched: Type.Integer({ description: 'Found pages that were indexed.' }),
    skipped: Type.Integer({
      description:
        'Pages that were skipped: beyond max_pages, on another site, refused by robots.txt or noindex, or duplicates of other pages.',
    }),
    failed: Type.Integer({ description: 'Pages that could not be fetched or read.' }),
    unchanged: Type.Optional(Type.Integer({ description: 'Fetched pages that had not changed.' })),
    removed: Type.Optional(
      Type.Integer({ description: 'Pages that were removed because they no longer exist on the site.' }),
    ),
    left_out: Type.Optional(
      Type.Array(
        Type.Object({
          url: Type.String({ description: 'URL of the page.' }),
          reason: Type.String({ description: 'Reason why the page failed, was skipped or was removed.' }),
        }),
        { description: 'The first pages that failed, were skipped or removed; 50 at most.' },
      ),
    ),
  },
  {
    description:
      'For a sitemap: the number of pages by result of the last crawl. Other counts of the sitemap are then sums over its pages.',
  },
);

export const Refresh = StringEnum(refreshRates, {
  description:
    'How often a url or sitemap source is re-read automatically; other sources must omit this field.',
});

/** Description of the field that names the character encoding of a web page or an upload. */
export const ENCODING_DESCRIPTION =
  'Character encoding of the text, such as windows-1251: a label of the Encoding Standard, or another common name of the encoding. If it is set, Parley does not detect the encoding; only a byte order mark takes precedence. It has no effect on PDF, EPUB and Office files.';

const { inputField, convertedField, storedField, readOnlyField, computedField } = createFieldFactories<
  Document,
  DocumentInput
>();

/** Fields of a document in the API and the database; docs/patterns.md#resources explains the format. */
export const document = createResourceFactory<Document, DocumentInput>()(
  {
    id: readOnlyField('id', Uuid('The document’s id.')),
    source_type: convertedField(
      'source_type',
      'sourceType',
      {
        on: 'create',
        body: StringEnum(['url', 'raw_text', 'sitemap'] as const, { description: SourceType.description }),
        read: SourceType,
      },
      ({ sourceType }) => sourceType,
    ),
    url: inputField('url', {
      on: 'create',
      body: Type.Optional(
        Nullable(
          Type.String({
            maxLength: 2000,
            description:
              'URL of a public page; for a sitemap source, URL of a site or of its sitemap. Required by url and sitemap sources.',
            examples: ['https://example.com/help'],
          }),
        ),
      ),
    }),
    raw_text: inputField('raw_text', {
      on: 'create',
      body: Type.Optional(
        Nullable(
          Type.String({
            maxLength: 2_000_000,
            description: 'Plain text or Markdown; required by raw_text sources.',
          }),
        ),
      ),
    }),
    title: convertedField(
      'title',
      'title',
      {
        body: Type.Optional(
          SingleLine({
            maxLength: 500,
            default: '',
            description: 'Title in lists and citations. If empty, the title in the source is used.',
          }),
        ),
        update: SingleLine({
          minLength: 1,
          maxLength: 500,
          description: 'The title in lists and citations.',
        }),
        read: Type.String({ description: 'The title in lists and citations.' }),
      },
      toDisplayTitle,
    ),
    is_qa: convertedField(
      'is_qa',
      'isQa',
      {
        on: 'create',
        body: Type.Optional(
          Type.Boolean({
            default: false,
            description:
              'Whether a raw_text source answers the question in its title. Searches for this question prefer this source.',
          }),
        ),
        read: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Whether the text answers the question in its title.',
          }),
        ),
      },
      ({ isQa }) => isQa,
    ),
    status: readOnlyField('status', Status),
    chunk_count: readOnlyField(
      'chunkCount',
      Type.Integer({ default: 0, description: 'Number of indexed passages.' }),
    ),
    token_count: readOnlyField(
      'tokenCount',
      Type.Integer({ default: 0, description: 'Number of tokens in all passages.' }),
    ),
    embedding_model: readOnlyField(
      'embeddingModel',
      Nullable(
        Type.String({ description: 'The model that embedded the passages; null if there are no vectors.' }),
      ),
    ),
    error_message: computedField(
      'errorMessage',
      Nullable(
        Type.String({
          description:
            'Reason why the indexing failed, or what it skipped: pages of a site, or pages of a PDF without text.',
        }),
      ),
      selectMessage,
    ),
    mime_type: readOnlyField(
      'mimeType',
      Nullable(Type.String({ description: 'Media type of the original.', examples: ['application/pdf'] })),
    ),
    encoding: storedField('encoding', {
      on: 'create',
      body: Type.Optional(
        Nullable(
          Type.String({
            minLength: 1,
            maxLength: 100,
            description: `Only for url sources. ${ENCODING_DESCRIPTION} If null, Parley detects the encoding, also if it was set before.`,
            examples: ['windows-1251'],
          }),
        ),
      ),
      read: Nullable(
        Type.String({
          description: 'Name of the specified character encoding; null if the encoding is detected.',
          examples: ['windows-1251'],
        }),
      ),
    }),
    size_bytes: readOnlyField(
      'sizeBytes',
      Type.Integer({ default: 0, description: 'Size of the original.' }),
    ),
    source_url: readOnlyField(
      'sourceUrl',
      Nullable(Type.String({ description: 'URL of the document’s source.' })),
    ),
    parent_id: readOnlyField(
      'parentId',
      Nullable(Uuid('For a page of a sitemap source: the id of that source; null for all other documents.')),
    ),
    crawl: computedField('crawl', Type.Optional(CrawlCounts), ({ crawl }) => {
      if (crawl === null) return undefined as never;
      const { leftOut, ...counts } = crawl;
      return { ...counts, ...(leftOut && { left_out: leftOut }) };
    }),
    refresh: storedField('refresh', {
      body: Type.Optional({ ...Refresh, default: 'none' }),
      update: Refresh,
      read: Refresh,
    }),
    tags: storedField('tags', {
      body: Type.Optional({ ...Tags, default: [] }),
      update: Tags,
      read: Type.Array(Type.String(), { description: Tags.description }),
    }),
    max_pages: inputField('max_pages', {
      on: 'create',
      body: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 200,
          default: 25,
          description: 'Maximum number of pages for a sitemap source.',
        }),
      ),
    }),
    created_at: readOnlyField('createdAt', DateTime('Time at which the document was added.')),
    updated_at: readOnlyField('updatedAt', DateTime('Time of the last change.')),
  },
  {
    hidden: {
      orgId: 'It is the caller’s workspace.',
      botId: 'The path contains it.',
      externalId: 'Only the operations below /api/ext/bots return it.',
      contentSha256: 'It only detects unchanged content.',
      revision: 'Only workflows use it, to detect outdated work.',
      notice: 'error_message contains it.',
      filename: 'Downloads have this name; it is also the default title.',
      storageKey: 'The storage location of the original is internal.',
      keyId: 'The encryption of the original is internal.',
      maxPages: 'It limits the next crawl; no caller needs it yet.',
      indexedAt: 'status and updated_at show it.',
      failedAt: 'status and updated_at show it.',
      fetched: 'It is only used to fetch the source again.',
      indexedSha256: 'It only detects unchanged content.',
      textSha256: 'It only detects unchanged text.',
      readingAttempts: 'It only ends the indexing of documents whose reading crashes.',
      crawlRevision: 'It only distinguishes crawls of the site.',
      missedCrawls: 'It only decides when a crawl removes the page.',
      gone: 'error_message contains it during a crawl.',
      crawlProgress: 'getDocumentStatus returns it.',
    },
  },
);
