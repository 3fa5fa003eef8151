import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import { Json, Text, UpdatedAt } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** The external service that holds a workspace's own encryption key: Vault or AWS KMS. */
@Entity('key_services')
export class KeyServiceRow {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_key_services' })
  @ForeignKey(() => Org, 'id', { name: 'fk_key_services_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  /** Configuration of the key service with the API's field names, without secrets. */
  @Json('config') config!: KeyServiceConfig;
  /** Credentials for the key service, as JSON encrypted with the master key. */
  @Text('sealed_credentials') sealedCredentials!: string;
  @UpdatedAt() updatedAt!: Date;
}
