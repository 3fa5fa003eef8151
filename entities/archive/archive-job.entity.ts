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

/** Selection of the conversations that an export contains. `from` and `to` limit their creation times. */
export interface ArchiveSelection {
  /** Ids of the exported bots; null for all bots. */
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
  /**
   * Number of conversations that an import skipped, because they already existed or their visitor was erased.
   */
  skipped: number;
  /** Number of conversations that an import could not load because of an error. */
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

/** An error because of which a record is missing from an export or import. */
export interface ArchiveJobError {
  /** Number of the line with the error in the archive's file that `message` names. */
  line: number | null;
  id: string | null;
  code: string;
  message: string;
}

/** Maximum number of errors that an export or import stores; further errors are only counted. */
export const MAX_ARCHIVE_ERRORS = 100;

/** A position in an export's list of conversations or contacts, which is sorted by creation time and id. */
export interface ArchiveCursor {
  createdAt: string;
  id: string;
}

/** Progress of an export. All records up to the position `after` are in stored files. */
export interface ExportPosition {
  phase: 'bots' | 'conversations' | 'contacts' | 'joining';
  after: ArchiveCursor | null;
  part: number;
  /** Position after which the conversations of the archive's current part begin. */
  partAfter: ArchiveCursor | null;
  /** Size in bytes of the files of the archive's current part, compressed and uncompressed. */
  partStoredBytes: number;
  partBytes: number;
  /** Number of files in the archive's current part, by kind. */
  partFiles: { contacts: number; conversations: number };
}

/** Progress of an import. All records before this line of the archive's file are committed. */
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
  /** Conversations that an export contains; null for an import. */
  @Json('selection', { nullable: true }) selection!: ArchiveSelection | null;
  /**
   * Number that each step of an export or import increments. A worker stores a step only if the number is
   * unchanged, so that a stalled worker cannot overwrite newer progress.
   */
  @Counter('step') step!: number;
  @Json('position', { nullable: true }) position!: ExportPosition | ImportPosition | null;
  /**
   * Number of conversations that an export or import processes: counted at the start of an export, or read
   * from an import's manifest.
   */
  @Counter('expected') expected!: number;
  @Json('counts') counts!: ArchiveCounts;
  @Counter('parts') parts!: number;
  /** Total size in bytes of all parts of the archive. */
  @Int64('size_bytes') sizeBytes!: number;
  /** Reason why the export or import failed, as a sentence for people. */
  @NullableText('error_message') errorMessage!: string | null;
  @Json('errors', { default: [] }) errors!: ArchiveJobError[];
  @Counter('errors_total') errorsTotal!: number;
  /** Whether storage may still contain files of the export or import. */
  @Flag('has_files', true) hasFiles!: boolean;
  @CreatedAt() createdAt!: Date;
  @Timestamp('started_at', { nullable: true }) startedAt!: Date | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  /** Time at which the files of an export are deleted. */
  @Timestamp('expires_at', { nullable: true }) expiresAt!: Date | null;
  /** Data key of a completed export's parts, or of an import's uploaded file. */
  @KeyId() keyId!: string | null;
}
