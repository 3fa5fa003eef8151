import { Entity, Index } from 'typeorm';
import {
  Counter,
  CreatedAt,
  Flag,
  Id,
  Json,
  NullableText,
  Reference,
  Text,
  Timestamp,
} from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { Org } from '../team/org.entity.ts';
import { Int64 } from '../usage/usage-columns.ts';

export const archiveJobKinds = ['export', 'import'] as const;
export type ArchiveJobKind = (typeof archiveJobKinds)[number];

export const archiveJobStatuses = ['pending', 'running', 'completed', 'failed'] as const;
export type ArchiveJobStatus = (typeof archiveJobStatuses)[number];

export const unfinishedJobStatuses = ['pending', 'running'] as const satisfies ArchiveJobStatus[];

/** Scope of an export. `from` and `to` are the requested limits. */
export interface ArchiveSelection {
  /** Null for all bots. */
  botIds: string[] | null;
  from: string | null;
  to: string | null;
  includesContacts: boolean;
}

export interface ArchiveCounts {
  bots: number;
  contacts: number;
  conversations: number;
  messages: number;
  /** Conversations that already existed, or whose visitor was erased. */
  skipped: number;
  /** Conversations that could not be imported. */
  failed: number;
}

export const ZERO_COUNTS: Readonly<ArchiveCounts> = {
  bots: 0,
  contacts: 0,
  conversations: 0,
  messages: 0,
  skipped: 0,
  failed: 0,
};

/** A record that is missing from the result of a job. */
export interface ArchiveJobError {
  /** Line in the file that the message names. */
  line: number | null;
  id: string | null;
  code: string;
  message: string;
}

/** Number of errors that a job stores; further ones are only counted. */
export const MAX_ARCHIVE_ERRORS = 100;

/** A position in the order of conversations or contacts. */
export interface ArchivePlace {
  createdAt: string;
  id: string;
}

/** Progress of an export: everything up to `after` is in stored files. */
export interface ExportPosition {
  phase: 'bots' | 'conversations' | 'contacts' | 'joining';
  after: ArchivePlace | null;
  part: number;
  /** The position before the part's first conversation. */
  partAfter: ArchivePlace | null;
  /** Size of the part's files, packed and unpacked. */
  partStoredBytes: number;
  partBytes: number;
  /** Number of the part's files by kind. */
  partFiles: { contacts: number; conversations: number };
}

/** Progress of an import: everything before this line of this file is committed. */
export interface ImportPosition {
  isVerified: boolean;
  file: string;
  line: number;
}

/** An export or import of a workspace's conversations. */
@Entity('archive_jobs')
@Index('ix_archive_jobs_org', ['orgId', 'createdAt', 'id'])
@Index('ix_archive_jobs_files', ['createdAt'], { where: 'has_files' })
@Index('ix_archive_jobs_created', ['createdAt'])
export class ArchiveJob {
  @Id('archive_jobs') id!: string;
  @Reference('archive_jobs', 'org_id', () => Org) orgId!: string;
  @Text('kind') kind!: ArchiveJobKind;
  @Text('status', { default: 'pending' }) status!: ArchiveJobStatus;
  /** Null for an import. */
  @Json('selection', { nullable: true }) selection!: ArchiveSelection | null;
  /**
   * Incremented by each step. A worker that stores a step checks the number, so that a stale worker cannot overwrite
   * another one's progress.
   */
  @Counter('step') step!: number;
  @Json('position', { nullable: true }) position!: ExportPosition | ImportPosition | null;
  /** Number of conversations when the export began, or according to the manifest. */
  @Counter('expected') expected!: number;
  @Json('counts') counts!: ArchiveCounts;
  @Counter('parts') parts!: number;
  /** Size of all parts of the archive together. */
  @Int64('size_bytes') sizeBytes!: number;
  /** A sentence for people. */
  @NullableText('error_message') errorMessage!: string | null;
  @Json('errors', { default: [] }) errors!: ArchiveJobError[];
  @Counter('errors_total') errorsTotal!: number;
  /** Storage may still contain files of the job. */
  @Flag('has_files', true) hasFiles!: boolean;
  @CreatedAt() createdAt!: Date;
  @Timestamp('started_at', { nullable: true }) startedAt!: Date | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  /** When an export can no longer be downloaded. */
  @Timestamp('expires_at', { nullable: true }) expiresAt!: Date | null;
  /** Key of the parts of a completed export, or of the imported file. */
  @KeyId() keyId!: string | null;
}
