import { Column, Entity, Index } from 'typeorm';
import {
  Counter,
  CreatedAt,
  Flag,
  Id,
  Integer,
  Json,
  NullableText,
  Reference,
  Text,
  TextArray,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Org } from '../team/org.entity.ts';

export const documentStatuses = ['pending', 'processing', 'indexed', 'failed'] as const;
export type DocumentStatus = (typeof documentStatuses)[number];
export const documentSourceTypes = ['url', 'raw_text', 'sitemap', 'file'] as const;
export type DocumentSourceType = (typeof documentSourceTypes)[number];

/** Rates at which Parley fetches a document with a URL again. */
export const refreshRates = ['none', 'daily', 'weekly'] as const;
export type RefreshRate = (typeof refreshRates)[number];

export interface SkippedPage {
  url: string;
  /** Reason why a crawl skipped the page, as a sentence for people. */
  reason: string;
}

/** Results of a crawl: how many pages of a site were found, fetched, skipped and failed. */
export interface CrawlCounts {
  found: number;
  fetched: number;
  skipped: number;
  failed: number;
  /** Number of fetched pages whose content had not changed. */
  unchanged?: number;
  /** Number of pages that the site no longer has, and whose documents were deleted. */
  removed?: number;
  /** The first few pages that a crawl skipped, failed to fetch or removed. */
  leftOut?: SkippedPage[];
}

/** Progress of a running crawl of a site. */
export interface CrawlProgress extends Pick<CrawlCounts, 'found' | 'skipped'> {
  /** Whether the crawl follows links, because the site has no sitemap. */
  isByLinks: boolean;
}

/**
 * Reason why a page no longer belongs to its site. `missing`: the site responded that the page does not
 * exist. `left_out`: the page must not be indexed, or has another URL now.
 */
export interface GonePage {
  kind: 'missing' | 'left_out';
  /** Reason why the page no longer belongs to the site, as a sentence for people. */
  reason: string;
}

/** Metadata of the HTTP response with which the document's current original was fetched. */
export interface FetchedSource {
  sha256: string;
  etag: string | null;
  lastModified: string | null;
  /** URL of the HTTP response, after redirects. */
  url: string;
  /** Value of the response's header X-Robots-Tag. */
  robots: string | null;
}

/**
 * A source of knowledge: a file, text, web page or site. A site's pages are separate documents with the site
 * as `parentId`. Each indexing has a new `revision`, and results for older revisions are ignored.
 */
@Entity('documents')
@Index('ix_documents_failed', ['failedAt'], { where: "status = 'failed'" })
@Index('ix_documents_bot_created', ['orgId', 'botId', 'createdAt', 'id'])
@Index('ix_documents_status', ['botId', 'orgId', 'status', 'createdAt', 'id'])
@Index('ix_documents_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_documents_originals', ['orgId', 'id'], { where: 'storage_key IS NOT NULL' })
@Index('ix_documents_parent_id', ['parentId'])
@Index('uq_documents_external_id', ['botId', 'externalId'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('ix_documents_content', ['botId', 'contentSha256'], { where: 'content_sha256 IS NOT NULL' })
@Index('ix_documents_address', { synchronize: false })
@Index('ix_documents_without_vectors', ['orgId', 'id'], {
  where: "embedding_model IS NULL AND chunk_count > 0 AND status IN ('indexed', 'failed')",
})
@Index('ix_documents_refreshed', ['orgId', 'botId', 'id'], { where: "refresh <> 'none'" })
@Index('ix_documents_unfinished', ['id'], { where: "status IN ('pending', 'processing')" })
export class Document {
  @Id('documents') id!: string;
  @Reference('documents', 'org_id', () => Org) orgId!: string;
  @Reference('documents', 'bot_id', () => Bot) botId!: string;
  @Reference('documents', 'parent_id', () => Document, { nullable: true }) parentId!: string | null;
  /** Id that the caller chose for the document, unique in the bot; null if the caller chose no id. */
  @NullableText('external_id') externalId!: string | null;
  @Text('source_type') sourceType!: DocumentSourceType;
  @Text('title', { default: '' }) title!: string;
  /** Whether the document is a Q&A entry: a text that answers the question in its title. */
  @Flag('is_qa') isQa!: boolean;
  @Text('status', { default: 'pending' }) status!: DocumentStatus;
  @Integer('revision', { default: 1 }) revision!: number;
  /**
   * Number of attempts to read the document's revision that have not ended, such as those that crashed the
   * worker.
   */
  @Counter('reading_attempts') readingAttempts!: number;
  @Counter('chunk_count') chunkCount!: number;
  @Counter('token_count') tokenCount!: number;
  /** Embedding model whose vectors exist for all chunks of the document; null while some are missing. */
  @NullableText('embedding_model') embeddingModel!: string | null;
  @NullableText('error_message') errorMessage!: string | null;
  /** Message for the owner about what is missing or uncertain in the document's current chunks. */
  @NullableText('notice') notice!: string | null;
  @NullableText('mime_type') mimeType!: string | null;
  /** Character encoding of the document's text that the owner named; null to detect it. */
  @NullableText('encoding') encoding!: string | null;
  @Integer('size_bytes', { default: 0 }) sizeBytes!: number;
  @NullableText('source_url') sourceUrl!: string | null;
  /** Name of the document's uploaded file. */
  @NullableText('filename') filename!: string | null;
  /** Storage key of the document's original file; null if no original is stored yet. */
  @NullableText('storage_key') storageKey!: string | null;
  /** Data key that encrypts the document's original; null if the original is plain. */
  @KeyId() keyId!: string | null;
  @TextArray('tags', { default: [] }) tags!: string[];
  @Integer('max_pages', { default: 25 }) maxPages!: number;
  /** Results of the last crawl of a site. */
  @Json('crawl', { nullable: true }) crawl!: CrawlCounts | null;
  /** Progress of the running crawl of a site; null if no crawl is running. */
  @Json('crawl_progress', { nullable: true }) crawlProgress!: CrawlProgress | null;
  @Text('refresh', { default: 'none' }) refresh!: RefreshRate;
  /** Metadata of the HTTP response with which a page was fetched. */
  @Json('fetched', { nullable: true }) fetched!: FetchedSource | null;
  /** SHA-256 of the document's original that was indexed into the current chunks. */
  @NullableText('indexed_sha256') indexedSha256!: string | null;
  /**
   * SHA-256 of the text or file that the caller sent; null for pages, and for documents that were created
   * before this column existed.
   */
  @NullableText('content_sha256') contentSha256!: string | null;
  /** SHA-256 of the text of the document's current chunks. */
  @NullableText('text_sha256') textSha256!: string | null;
  /** Revision of the site in whose crawl the web page was last found. */
  @Column({ name: 'crawl_revision', type: 'integer', nullable: true }) crawlRevision!: number | null;
  /** Number of consecutive crawls that did not find the web page. */
  @Counter('missed_crawls') missedCrawls!: number;
  /**
   * Reason why a web page no longer belongs to its site. The crawl decides at its end whether to delete the
   * document.
   */
  @Json('gone', { nullable: true }) gone!: GonePage | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  @Timestamp('indexed_at', { nullable: true }) indexedAt!: Date | null;
  /** Time at which indexing of the document last failed, even if indexing has succeeded since. */
  @Timestamp('failed_at', { nullable: true }) failedAt!: Date | null;
}
