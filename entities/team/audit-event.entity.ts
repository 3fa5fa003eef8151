import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, TextArray } from '../../database/columns.ts';
import { Org } from './org.entity.ts';

/** A write by a member or a member's API key. A write to several resources has a row for each. */
@Entity('audit_events')
@Index('ix_audit_events_org_created', ['orgId', 'createdAt', 'id'])
// A BRIN index, which TypeORM cannot declare.
@Index('ix_audit_events_created', { synchronize: false })
export class AuditEvent {
  @Id('audit_events') id!: string;
  @Reference('audit_events', 'org_id', () => Org) orgId!: string;
  @Column({ name: 'user_id', type: 'uuid' }) userId!: string;
  /** Null if the member was signed in. */
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  /** The id of the API's operation. */
  @Text('operation') operation!: string;
  @Text('resource_type') resourceType!: string;
  @NullableText('resource_id') resourceId!: string | null;
  /** The action, if the operation has several. */
  @NullableText('action') action!: string | null;
  /** Names of fields, never values: some are secrets. */
  @TextArray('changed_fields') changedFields!: string[];
  @Text('ip') ip!: string;
  @NullableText('user_agent') userAgent!: string | null;
  @Text('request_id') requestId!: string;
  @CreatedAt() createdAt!: Date;
}
