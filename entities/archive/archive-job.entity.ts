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

/** What an export is of. Its ends are those that were asked for. */
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
  /** Conversations that were there already, or whose visitor was erased. */
  skipped: number;
  /** Conversations that could not be taken. */
  failed: number;
}

export const NOTHING_COUNTED: Readonly<ArchiveCounts> = {
  bots: 0,
  contacts: 0,
  conversations: 0,
  messages: 0,
  skipped: 0,
  failed: 0,
};

/** Something that is missing in what a job has made. */
export interface ArchiveJobError {
  /** Of the file that the message names. */
  line: number | null;
  id: string | null;
  code: string;
  message: string;
}

/** Errors that a job keeps; further ones are counted. */
export const MAX_ARCHIVE_ERRORS = 100;

/** A place in the order of conversations or contacts. */
export interface ArchivePlace {
  createdAt: string;
  id: string;
}

/** How far an export is: all before `after` is in files that are stored. */
export interface ExportPosition {
  phase: 'bots' | 'conversations' | 'contacts' | 'joining';
  after: ArchivePlace | null;
  part: number;
  /** Behind which the first conversation of the part stands. */
  partAfter: ArchivePlace | null;
  /** Of the files of the part, packed and unpacked. */
  partStoredBytes: number;
  partBytes: number;
  /** Files of the part, by kind. */
  partFiles: { contacts: number; conversations: number };
}

/** How far an import is: all before this line of this file is committed. */
export interface ImportPosition {
  isVerified: boolean;
  file: string;
  line: number;
}

/** An export, or an import, of a workspace's conversations. */
@Entity('archive_jobs')
@Index('ix_archive_jobs_org', ['orgId', 'createdAt', 'id'])
@Index('ix_archive_jobs_files', ['createdAt'], { where: 'has_files' })
@Index('ix_archive_jobs_created', ['createdAt'])
export class ArchiveJob {
  @Id('archive_jobs') id!: string;
  @Reference('archive_jobs', 'org_id', () => Org) orgId!: string;
  @Text('kind') kind!: ArchiveJobKind;
  @Text('status', { default: 'pending' }) status!: ArchiveJobStatus;
  /** Of an export. */
  @Json('selection', { nullable: true }) selection!: ArchiveSelection | null;
  /** Raised by each step: whoever writes down another one has worked on what is not so any more. */
  @Counter('step') step!: number;
  @Json('position', { nullable: true }) position!: ExportPosition | ImportPosition | null;
  /** Conversations that there were when it began, or that the manifest names. */
  @Counter('expected') expected!: number;
  @Json('counts') counts!: ArchiveCounts;
  @Counter('parts') parts!: number;
  /** Of the archive, all parts together. */
  @Int64('size_bytes') sizeBytes!: number;
  /** In words for people. */
  @NullableText('error_message') errorMessage!: string | null;
  @Json('errors', { default: [] }) errors!: ArchiveJobError[];
  @Counter('errors_total') errorsTotal!: number;
  /** Storage may have something of it. */
  @Flag('has_files', true) hasFiles!: boolean;
  @CreatedAt() createdAt!: Date;
  @Timestamp('started_at', { nullable: true }) startedAt!: Date | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  /** Until when an export can be downloaded. */
  @Timestamp('expires_at', { nullable: true }) expiresAt!: Date | null;
  /** Of the parts of an export that is completed, or of what is imported. */
  @KeyId() keyId!: string | null;
}
