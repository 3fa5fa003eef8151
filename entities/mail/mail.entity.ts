import { Column, Entity, Index } from 'typeorm';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Counter, CreatedAt, Id, NullableText, Text, Timestamp } from '../../database/columns.ts';

/**
 * `kept`: no mail server is set, so it is shown at /dev/mail instead. `suppressed`: its reader has turned such mail
 * off, or the address takes none. `withdrawn`: the link or code in it is good no more, or its reader or whom it is about
 * is gone. `refused`: the mail server will never take it. `failed`: it could not be handed over in time.
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

/** A mail on its way out. It refers to nothing, so that the last mail to a deleted account still goes out. */
@Entity('mails')
@Index('ix_mails_org', ['orgId', 'createdAt', 'id'], { where: 'org_id IS NOT NULL' })
@Index('uq_mails_key', ['key'], { unique: true, where: 'key IS NOT NULL' })
export class MailRow {
  @Id('mails') id!: string;
  @Column({ name: 'org_id', type: 'uuid', nullable: true }) orgId!: string | null;
  @Column({ name: 'user_id', type: 'uuid', nullable: true }) userId!: string | null;
  @Text('template') template!: string;
  /** What it is recognised by when it is queued again. */
  @NullableText('key') key!: string | null;
  /**
   * Address and values, sealed by the master key, and by the workspace's besides where they tell content; null once the mail has been
   * sent or has failed, since they hold links and codes.
   */
  @Sealed() @NullableText('content') content!: Sealed<string> | null;
  @KeyId() keyId!: string | null;
  @Text('state', { default: 'pending' }) state!: MailState;
  @Counter('attempts') attempts!: number;
  /** Why the last attempt failed, or why there was none. */
  @NullableText('reason') reason!: string | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
