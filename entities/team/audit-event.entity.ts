import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, TextArray } from '../../database/columns.ts';
import { Org } from './org.entity.ts';

/**
 * A write by a member, or by a member's API key. A write to several resources has a row for each resource.
 */
@Entity('audit_events')
@Index('ix_audit_events_org_created', ['orgId', 'createdAt', 'id'])
// TypeORM cannot declare this index, because it is a BRIN index.
@Index('ix_audit_events_created', { synchronize: false })
export class AuditEvent {
  @Id('audit_events') id!: string;
  @Reference('audit_events', 'org_id', () => Org) orgId!: string;
  @Column({ name: 'user_id', type: 'uuid' }) userId!: string;
  /** API key of the request; null if the member was signed in. */
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  /** Id of the API operation. */
  @Text('operation') operation!: string;
  @Text('resource_type') resourceType!: string;
  @NullableText('resource_id') resourceId!: string | null;
  /** Which action was performed, for operations with several. */
  @NullableText('action') action!: string | null;
  /** Names of the changed fields. Values are not stored, because some are secrets. */
  @TextArray('changed_fields') changedFields!: string[];
  @Text('ip') ip!: string;
  @NullableText('user_agent') userAgent!: string | null;
  @Text('request_id') requestId!: string;
  @CreatedAt() createdAt!: Date;
}
