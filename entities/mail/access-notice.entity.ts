import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * A change that grants lasting access to a workspace or exports its content. Owners are emailed about the
 * change; several changes of one kind share an email. Rows are deleted soon after their email.
 */
@Entity('access_notices')
@Index('ix_access_notices_org', ['orgId', 'actor', 'kind'])
@Index('ix_access_notices_waiting', ['createdAt'], { where: 'told_at IS NULL' })
@Index('ix_access_notices_told', ['notifiedAt'], { where: 'told_at IS NOT NULL' })
export class AccessNoticeRow {
  @Id('access_notices') id!: string;
  @Reference('access_notices', 'org_id', () => Org) orgId!: string;
  /** Credential with which the change was made: `user:<id>`, `key:<id>` or `unknown`. */
  @Text('actor') actor!: string;
  /**
   * API operation that made the change. The first change of a kind is emailed at once, and further changes
   * later together.
   */
  @Text('kind') kind!: string;
  /**
   * Ids of the accounts to email: the owners at the time of the change, even if an owner has been removed
   * since.
   */
  @Column({ name: 'reader_ids', type: 'uuid', array: true }) readerIds!: string[];
  /** Text about the change for the email, encrypted with the master key; null once the email was sent. */
  @NullableText('content') content!: string | null;
  /**
   * Time at which owners were emailed about the change; null while it waits to be combined with other
   * notices.
   */
  @Timestamp('told_at', { nullable: true }) notifiedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
