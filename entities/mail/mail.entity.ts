import { Column, Entity, Index } from 'typeorm';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Counter, CreatedAt, Id, NullableText, Text, Timestamp } from '../../database/columns.ts';

/**
 * State of an email. `kept`: no mail server is configured, so Parley shows the email at /dev/mail.
 * `suppressed`: the reader turned such emails off, or the email address refuses email. `withdrawn`: the
 * email's link or code is no longer valid, or the reader or subject was deleted. `refused`: the mail server
 * rejected the email permanently. `failed`: the email could not be delivered in time.
 */
export const mailStates = [
  'pending',
  'sent',
  'kept',
  'suppressed',
  'withdrawn',
  'refused',
  'failed',
] as const;
export type MailState = (typeof mailStates)[number];

/**
 * An email, queued or finished. The row has no foreign keys, so that the last email to a deleted account can
 * still be sent.
 */
@Entity('mails')
@Index('ix_mails_org', ['orgId', 'createdAt', 'id'], { where: 'org_id IS NOT NULL' })
@Index('uq_mails_key', ['key'], { unique: true, where: 'key IS NOT NULL' })
export class MailRow {
  @Id('mails') id!: string;
  @Column({ name: 'org_id', type: 'uuid', nullable: true }) orgId!: string | null;
  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId!: string | null;
  @Text('template') template!: string;
  /** Unique key, which prevents queuing the same email twice. */
  @NullableText('key') key!: string | null;
  /**
   * Email address of the reader, and values that the email's text contains. Encrypted with the master key,
   * and with the workspace's key as well if the values include content. Null once the email is finished,
   * because the values include links and codes.
   */
  @Sealed() @NullableText('content') content!: Sealed<string> | null;
  @KeyId() keyId!: string | null;
  @Text('state', { default: 'pending' }) state!: MailState;
  @Counter('attempts') attempts!: number;
  /** Reason why the last attempt to send the email failed, or why no attempt was made. */
  @NullableText('reason') reason!: string | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
