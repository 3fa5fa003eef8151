import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * A change that grants lasting access or exports content, of which owners are mailed. Rows are deleted soon after their
 * mail: they only decide which changes share a mail.
 */
@Entity('access_notices')
@Index('ix_access_notices_org', ['orgId', 'actor', 'kind'])
@Index('ix_access_notices_waiting', ['createdAt'], { where: 'told_at IS NULL' })
@Index('ix_access_notices_told', ['toldAt'], { where: 'told_at IS NOT NULL' })
export class AccessNoticeRow {
  @Id('access_notices') id!: string;
  @Reference('access_notices', 'org_id', () => Org) orgId!: string;
  /** The credential that was used: `user:<id>`, `key:<id>`, or `unknown`. */
  @Text('actor') actor!: string;
  /** The operation. The first change of a kind is mailed at once. */
  @Text('kind') kind!: string;
  /** Accounts to mail: owners at the time of the change, who may have been removed since. */
  @Column({ name: 'reader_ids', type: 'uuid', array: true }) readerIds!: string[];
  /** Text of the mail, encrypted with the master key; null once mailed. */
  @NullableText('content') content!: string | null;
  /** When it was mailed; null while it waits for further changes. */
  @Timestamp('told_at', { nullable: true }) toldAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
