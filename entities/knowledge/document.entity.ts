import { Column, Entity, Index } from 'typeorm';
import {
  Counter,
  CreatedAt,
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

/** How often a source with a URL is fetched again. */
export const refreshRates = ['none', 'daily', 'weekly'] as const;
export type RefreshRate = (typeof refreshRates)[number];

export interface LeftOutPage {
  url: string;
  /** A sentence for people. */
  reason: string;
}

/** Results of the pages that were found on a site: each was fetched, skipped or failed. */
export interface CrawlCounts {
  found: number;
  fetched: number;
  skipped: number;
  failed: number;
  /** Fetched pages that had not changed. */
  unchanged?: number;
  /** Earlier pages that are gone from the site and were therefore deleted. */
  removed?: number;
  /** The first pages that were skipped, failed or removed. */
  leftOut?: LeftOutPage[];
}

/** Progress of a running crawl. */
export interface CrawlProgress extends Pick<CrawlCounts, 'found' | 'skipped'> {
  /** The site has no sitemap, so its links are followed. */
  isByLinks: boolean;
}

/**
 * `missing`: the site responded that the page does not exist. `left_out`: it is not to be indexed, or has another URL.
 */
export interface GonePage {
  kind: 'missing' | 'left_out';
  /** A sentence for people. */
  reason: string;
}

/** The response from which the present original came. */
export interface FetchedSource {
  sha256: string;
  etag: string | null;
  lastModified: string | null;
  /** The URL after redirects. */
  url: string;
  /** Value of X-Robots-Tag. */
  robots: string | null;
}

/**
 * A source of knowledge. A sitemap is a parent whose pages are separate documents (`parentId`). Each (re-)indexing is a
 * `revision`; work of an older revision changes nothing.
 */
@Entity('documents')
@Index('ix_documents_failed', ['failedAt'], { where: "status = 'failed'" })
@Index('ix_documents_bot_created', ['orgId', 'botId', 'createdAt', 'id'])
@Index('ix_documents_status', ['botId', 'orgId', 'status', 'createdAt', 'id'])
@Index('ix_documents_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_documents_originals', ['orgId', 'id'], { where: 'storage_key IS NOT NULL' })
@Index('ix_documents_parent_id', ['parentId'])
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
  @Text('source_type') sourceType!: DocumentSourceType;
  @Text('title', { default: '' }) title!: string;
  @Text('status', { default: 'pending' }) status!: DocumentStatus;
  @Integer('revision', { default: 1 }) revision!: number;
  @Counter('chunk_count') chunkCount!: number;
  @Counter('token_count') tokenCount!: number;
  /** The model whose vectors all of its chunks have; null while some are missing. */
  @NullableText('embedding_model') embeddingModel!: string | null;
  @NullableText('error_message') errorMessage!: string | null;
  @NullableText('mime_type') mimeType!: string | null;
  @Integer('size_bytes', { default: 0 }) sizeBytes!: number;
  @NullableText('source_url') sourceUrl!: string | null;
  /** File name of the original at its owner. */
  @NullableText('filename') filename!: string | null;
  /** Storage key of the original; null without one (yet). */
  @NullableText('storage_key') storageKey!: string | null;
  /** Key that encrypts the original; null: it is plain. */
  @KeyId() keyId!: string | null;
  @TextArray('tags', { default: [] }) tags!: string[];
  @Integer('max_pages', { default: 25 }) maxPages!: number;
  /** Counts of a sitemap's last crawl. */
  @Json('crawl', { nullable: true }) crawl!: CrawlCounts | null;
  /** Progress of a sitemap's running crawl. */
  @Json('crawl_progress', { nullable: true }) crawlProgress!: CrawlProgress | null;
  @Text('refresh', { default: 'none' }) refresh!: RefreshRate;
  /** The response from which a page's original came. */
  @Json('fetched', { nullable: true }) fetched!: FetchedSource | null;
  /** SHA-256 of the original from which the present chunks were made. */
  @NullableText('indexed_sha256') indexedSha256!: string | null;
  /** SHA-256 of the text of the present chunks. */
  @NullableText('text_sha256') textSha256!: string | null;
  /** The site's revision that last found the page. */
  @Column({ name: 'crawl_revision', type: 'integer', nullable: true }) crawlRevision!: number | null;
  /** Number of consecutive crawls that have not found the page. */
  @Counter('missed_crawls') missedCrawls!: number;
  /** Why a page no longer belongs to its site. The end of the crawl decides whether it is deleted. */
  @Json('gone', { nullable: true }) gone!: GonePage | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  @Timestamp('indexed_at', { nullable: true }) indexedAt!: Date | null;
  /** When it last failed, even if it has succeeded since. */
  @Timestamp('failed_at', { nullable: true }) failedAt!: Date | null;
}
