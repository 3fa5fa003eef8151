import { Column, Entity, Index } from 'typeorm';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Counter, CreatedAt, Id, NullableText, Text, Timestamp } from '../../database/columns.ts';

/**
 * `kept`: no mail server is configured, so the mail is shown at /dev/mail instead. `suppressed`: the reader has turned
 * such mail off, or the address refuses mail. `withdrawn`: its link or code is no longer valid, or the reader or the
 * subject was deleted. `refused`: the mail server will never accept it. `failed`: it could not be delivered in time.
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

/** A queued or finished mail. It has no foreign keys, so that the last mail to a deleted account is still sent. */
@Entity('mails')
@Index('ix_mails_org', ['orgId', 'createdAt', 'id'], { where: 'org_id IS NOT NULL' })
@Index('uq_mails_key', ['key'], { unique: true, where: 'key IS NOT NULL' })
export class MailRow {
  @Id('mails') id!: string;
  @Column({ name: 'org_id', type: 'uuid', nullable: true }) orgId!: string | null;
  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId!: string | null;
  @Text('template') template!: string;
  /** Identifies the mail when it is queued again. */
  @NullableText('key') key!: string | null;
  /**
   * Address and values, encrypted with the master key, and with the workspace's key as well if they contain content.
   * Null once the mail was sent or has failed, because they contain links and codes.
   */
  @Sealed() @NullableText('content') content!: Sealed<string> | null;
  @KeyId() keyId!: string | null;
  @Text('state', { default: 'pending' }) state!: MailState;
  @Counter('attempts') attempts!: number;
  /** Why the last attempt failed, or why the mail was never attempted. */
  @NullableText('reason') reason!: string | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
