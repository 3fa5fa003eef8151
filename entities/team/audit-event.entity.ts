import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, TextArray } from '../../database/columns.ts';
import { Org } from './org.entity.ts';

/** One write that a member, or a key of theirs, has done; one that is about several things is a row for each. */
@Entity('audit_events')
@Index('ix_audit_events_org_created', ['orgId', 'createdAt', 'id'])
// BRIN, which TypeORM cannot say.
@Index('ix_audit_events_created', { synchronize: false })
export class AuditEvent {
  @Id('audit_events') id!: string;
  @Reference('audit_events', 'org_id', () => Org) orgId!: string;
  @Column({ name: 'user_id', type: 'uuid' }) userId!: string;
  /** Null for somebody who was signed in. */
  @Column({ name: 'key_id', type: 'uuid', nullable: true }) keyId!: string | null;
  /** The id of the API's operation. */
  @Text('operation') operation!: string;
  @Text('resource_type') resourceType!: string;
  @NullableText('resource_id') resourceId!: string | null;
  /** What was done, where the operation does several things. */
  @NullableText('action') action!: string | null;
  /** Names, never values: some are secrets. */
  @TextArray('changed_fields') changedFields!: string[];
  @Text('ip') ip!: string;
  @NullableText('user_agent') userAgent!: string | null;
  @Text('request_id') requestId!: string;
  @CreatedAt() createdAt!: Date;
}
