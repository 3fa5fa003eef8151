import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Json, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** `held`: over the day's cap, waiting for a summary. `dropped`: no longer useful. `failed`: it could not be sent. */
const alertStates = ['pending', 'held', 'sent', 'dropped', 'failed'] as const;
export type AlertState = (typeof alertStates)[number];

/** An event to report to a policy. It stores ids only; facts are read when it is sent. */
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
  /** The policy may already be deleted; its workflow then removes its remaining alerts. */
  @Column({ name: 'policy_id', type: 'uuid' }) policyId!: string;
  @Column({ name: 'event_id', type: 'uuid' }) eventId!: string;
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('name') name!: string;
  /** Ids of the resources concerned, by their names in the event. */
  @Json('ids') ids!: Record<string, string>;
  @Text('severity') severity!: 'critical' | 'normal';
  /** Groups alerts: those with the same subject share a line. */
  @Text('subject') subject!: string;
  @Text('state', { default: 'pending' }) state!: AlertState;
  @NullableText('reason') reason!: string | null;
  /** The message that contains the alert. */
  @Column({ name: 'message_id', type: 'uuid', nullable: true }) messageId!: string | null;
  @Timestamp('occurred_at') occurredAt!: Date;
  @CreatedAt() createdAt!: Date;
}
