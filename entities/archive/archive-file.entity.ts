import { Column, Entity, Index } from 'typeorm';
import type { RecordKind } from '../../core/archive/archive-format.ts';
import { Counter, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { ArchiveJob } from './archive-job.entity.ts';

/** A packed file of an export, stored until it is joined into a part. */
@Entity('archive_files')
@Index('ix_archive_files_job', ['jobId', 'part'])
export class ArchiveFile {
  /** Also the file's name in storage. */
  @Id('archive_files') id!: string;
  /** Workspace of the job. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('archive_files', 'job_id', () => ArchiveJob) jobId!: string;
  /** Number of the part; 0 for files that every part contains. */
  @Integer('part') part!: number;
  @Text('kind') kind!: RecordKind;
  @Text('name') name!: string;
  /** Number of lines. */
  @Integer('records') records!: number;
  /** Number of lines that are conversations. */
  @Counter('conversations') conversations!: number;
  /** Unpacked size. */
  @Integer('bytes') bytes!: number;
  @Integer('stored_bytes') storedBytes!: number;
  @Text('sha256') sha256!: string;
  @KeyId() keyId!: string | null;
}
