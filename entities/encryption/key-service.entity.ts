import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import { Json, Text, UpdatedAt } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** The service with which a workspace holds its own key. */
@Entity('key_services')
export class KeyServiceRow {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_key_services' })
  @ForeignKey(() => Org, 'id', { name: 'fk_key_services_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  /** As the API names it, without what is secret. */
  @Json('config') config!: KeyServiceConfig;
  /** Sealed by the master key: JSON of what the service is asked with. */
  @Text('sealed_credentials') sealedCredentials!: string;
  @UpdatedAt() updatedAt!: Date;
}
