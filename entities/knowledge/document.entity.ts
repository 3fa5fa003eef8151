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

/** How often a source that has an address is read again. */
export const refreshRates = ['none', 'daily', 'weekly'] as const;
export type RefreshRate = (typeof refreshRates)[number];

export interface LeftOutPage {
  url: string;
  /** A sentence for people. */
  reason: string;
}

/** What came of the pages that were found of a site: each was fetched, skipped or failed. */
export interface CrawlCounts {
  found: number;
  fetched: number;
  skipped: number;
  failed: number;
  /** Of those fetched, how many were as before. */
  unchanged?: number;
  /** Former pages that are gone from the site, and so from the bot. */
  removed?: number;
  /** The first pages that were skipped, failed or removed. */
  leftOut?: LeftOutPage[];
}

/** Of a crawl that goes on. */
export interface CrawlProgress extends Pick<CrawlCounts, 'found' | 'skipped'> {
  /** The site has no sitemap, and its links are followed. */
  isByLinks: boolean;
}

/** `missing`: the site says that there is none; `left_out`: it is not to be indexed, or is there by another address. */
export interface GonePage {
  kind: 'missing' | 'left_out';
  /** A sentence for people. */
  reason: string;
}

/** The answer that the present original came with. */
export interface FetchedSource {
  sha256: string;
  etag: string | null;
  lastModified: string | null;
  /** The address that it came from in the end. */
  url: string;
  /** What its X-Robots-Tag says. */
  robots: string | null;
}

/**
 * A source of knowledge. A sitemap is a parent whose pages are documents of their own (`parentId`).
 * Each (re-)indexing is a `revision`; work of an older revision changes nothing.
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
  /** Whose vectors all of its chunks have; none while some are still to be made. */
  @NullableText('embedding_model') embeddingModel!: string | null;
  @NullableText('error_message') errorMessage!: string | null;
  @NullableText('mime_type') mimeType!: string | null;
  @Integer('size_bytes', { default: 0 }) sizeBytes!: number;
  @NullableText('source_url') sourceUrl!: string | null;
  /** Name of the original as its owner knows it. */
  @NullableText('filename') filename!: string | null;
  /** Where storage keeps the original; null when there is none (yet). */
  @NullableText('storage_key') storageKey!: string | null;
  /** What the original is sealed with; null: it is not. */
  @KeyId() keyId!: string | null;
  @TextArray('tags', { default: [] }) tags!: string[];
  @Integer('max_pages', { default: 25 }) maxPages!: number;
  /** Of a sitemap, once it was crawled. */
  @Json('crawl', { nullable: true }) crawl!: CrawlCounts | null;
  /** Of a sitemap that is being crawled. */
  @Json('crawl_progress', { nullable: true }) crawlProgress!: CrawlProgress | null;
  @Text('refresh', { default: 'none' }) refresh!: RefreshRate;
  /** Of a page: what its original came with. */
  @Json('fetched', { nullable: true }) fetched!: FetchedSource | null;
  /** Of the original that the present chunks were made of. */
  @NullableText('indexed_sha256') indexedSha256!: string | null;
  /** Of what the present chunks say. */
  @NullableText('text_sha256') textSha256!: string | null;
  /** Of a page of a site: the site's revision that found it last. */
  @Column({ name: 'crawl_revision', type: 'integer', nullable: true }) crawlRevision!: number | null;
  /** Of a page of a site: how many crawls in a row have not found it. */
  @Counter('missed_crawls') missedCrawls!: number;
  /** Of a page of a site: why it is no page of it any more; the end of the crawl decides whether it goes. */
  @Json('gone', { nullable: true }) gone!: GonePage | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  @Timestamp('indexed_at', { nullable: true }) indexedAt!: Date | null;
  /** The last time, whatever has become of it since. */
  @Timestamp('failed_at', { nullable: true }) failedAt!: Date | null;
}
