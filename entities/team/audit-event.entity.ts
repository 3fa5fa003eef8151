import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, TextArray } from '../../database/columns.ts';
import { Org } from './org.entity.ts';

/**
 * A write request by a member, or with a member's API key, in the audit log. A write to several resources has
 * a row for each resource.
 */
@Entity('audit_events')
@Index('ix_audit_events_org_created', ['orgId', 'createdAt', 'id'])
// Do not synchronize this index, which TypeORM cannot declare because it is a BRIN index.
@Index('ix_audit_events_created', { synchronize: false })
export class AuditEvent {
  @Id('audit_events') id!: string;
  @Reference('audit_events', 'org_id', () => Org) orgId!: string;
  @Column({ name: 'user_id', type: 'uuid' }) userId!: string;
  /** API key of the audited request; null if the member was signed in. */
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  /** Id of the API operation that the audited request called. */
  @Text('operation') operation!: string;
  @Text('resource_type') resourceType!: string;
  @NullableText('resource_id') resourceId!: string | null;
  /** Action that was performed, for API operations with several actions. */
  @NullableText('action') action!: string | null;
  /** Names of the fields that the write changed. Values are not stored, because some are secrets. */
  @TextArray('changed_fields') changedFields!: string[];
  @Text('ip') ip!: string;
  @NullableText('user_agent') userAgent!: string | null;
  @Text('request_id') requestId!: string;
  @CreatedAt() createdAt!: Date;
}
