import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Json, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * `held`: the day's messages are used up, so that it waits for a summary. `dropped`: there is no use in it any more.
 * `failed`: it could not be sent.
 */
const alertStates = ['pending', 'held', 'sent', 'dropped', 'failed'] as const;
export type AlertState = (typeof alertStates)[number];

/** An event that a policy is to be told of. It has ids only; facts are read when it is sent. */
@Entity('alerts')
@Index('uq_alerts_policy_event', ['policyId', 'eventId'], { unique: true })
@Index('ix_alerts_open', ['policyId', 'state', 'occurredAt'], { where: "state IN ('pending', 'held')" })
@Index('ix_alerts_subject', ['policyId', 'subject', 'occurredAt'])
@Index('ix_alerts_message_id', ['messageId'])
@Index('ix_alerts_org_bot', ['orgId', 'botId'])
@Index('ix_alerts_created', ['createdAt'])
export class Alert {
  @Id('alerts') id!: string;
  @Reference('alerts', 'org_id', () => Org) orgId!: string;
  /** Its policy may be gone: then its workflow removes what is left. */
  @Column({ name: 'policy_id', type: 'uuid' }) policyId!: string;
  @Column({ name: 'event_id', type: 'uuid' }) eventId!: string;
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('name') name!: string;
  /** Ids of what it is about, as the event names them. */
  @Json('ids') ids!: Record<string, string>;
  @Text('severity') severity!: 'critical' | 'normal';
  /** What is the same in several alerts: they are one line. */
  @Text('subject') subject!: string;
  @Text('state', { default: 'pending' }) state!: AlertState;
  @NullableText('reason') reason!: string | null;
  /** That it goes out with. */
  @Column({ name: 'message_id', type: 'uuid', nullable: true }) messageId!: string | null;
  @Timestamp('occurred_at') occurredAt!: Date;
  @CreatedAt() createdAt!: Date;
}
