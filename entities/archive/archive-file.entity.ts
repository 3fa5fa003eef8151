import { Column, Entity, Index } from 'typeorm';
import type { RecordKind } from '../../core/archive/archive-format.ts';
import { Counter, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { ArchiveJob } from './archive-job.entity.ts';

/** A file of an export that waits in storage, packed, to become a piece of a part. */
@Entity('archive_files')
@Index('ix_archive_files_job', ['jobId', 'part'])
export class ArchiveFile {
  /** Storage has it under this name. */
  @Id('archive_files') id!: string;
  /** Its job's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('archive_files', 'job_id', () => ArchiveJob) jobId!: string;
  /** 0 for what is in each part. */
  @Integer('part') part!: number;
  @Text('kind') kind!: RecordKind;
  @Text('name') name!: string;
  /** Lines. */
  @Integer('records') records!: number;
  /** Lines that are conversations. */
  @Counter('conversations') conversations!: number;
  /** Unpacked. */
  @Integer('bytes') bytes!: number;
  @Integer('stored_bytes') storedBytes!: number;
  @Text('sha256') sha256!: string;
  @KeyId() keyId!: string | null;
}
