import { Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * An archive that is being uploaded. When the upload is complete, an import with the same id replaces the
 * row.
 */
@Entity('archive_uploads')
@Index('ix_archive_uploads_org', ['orgId', 'createdAt'])
@Index('ix_archive_uploads_created', ['createdAt'])
export class ArchiveUpload {
  @Id('archive_uploads') id!: string;
  @Reference('archive_uploads', 'org_id', () => Org) orgId!: string;
  @CreatedAt() createdAt!: Date;
  /** Data key that encrypts the uploaded archive. */
  @KeyId() keyId!: string | null;
}
