import { Column, Entity, Index } from 'typeorm';
import type { RecordKind } from '../../core/archive/archive-format.ts';
import { Counter, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { ArchiveJob } from './archive-job.entity.ts';

/** A compressed file of an export, stored until it is joined with other files into a part of the archive. */
@Entity('archive_files')
@Index('ix_archive_files_job', ['jobId', 'part'])
export class ArchiveFile {
  /** Id of the export's file, which is also the file's name in storage. */
  @Id('archive_files') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('archive_files', 'job_id', () => ArchiveJob) jobId!: string;
  /** Number of the archive's part that the file belongs to; 0 if every part contains the file. */
  @Integer('part') part!: number;
  @Text('kind') kind!: RecordKind;
  @Text('name') name!: string;
  /** Number of records in the export's file, one per line. */
  @Integer('records') records!: number;
  /** Number of records in the export's file that are conversations. */
  @Counter('conversations') conversations!: number;
  /** Size of the export's file in bytes, before compression. */
  @Integer('bytes') bytes!: number;
  @Integer('stored_bytes') storedBytes!: number;
  @Text('sha256') sha256!: string;
  @KeyId() keyId!: string | null;
}
