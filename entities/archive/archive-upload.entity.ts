import { Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { Org } from '../team/org.entity.ts';

/** An archive that is being uploaded. The job that imports it replaces it and takes its id. */
@Entity('archive_uploads')
@Index('ix_archive_uploads_org', ['orgId', 'createdAt'])
@Index('ix_archive_uploads_created', ['createdAt'])
export class ArchiveUpload {
  @Id('archive_uploads') id!: string;
  @Reference('archive_uploads', 'org_id', () => Org) orgId!: string;
  @CreatedAt() createdAt!: Date;
  /** Key of the stored file. */
  @KeyId() keyId!: string | null;
}
