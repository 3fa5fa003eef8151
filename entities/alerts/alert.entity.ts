import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Json, NullableText, Reference, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * State of an alert. `held`: the policy's daily cap was reached, so a summary reports it. `dropped`: no
 * longer useful. `failed`: could not be sent.
 */
const alertStates = ['pending', 'held', 'sent', 'dropped', 'failed'] as const;
export type AlertState = (typeof alertStates)[number];

/**
 * An event about which an alert policy's destination is alerted. The row stores ids only; the text is
 * rendered from current rows when the alert is sent.
 */
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
  /**
   * Policy that selected the event of the alert. If the policy is already deleted, its workflow deletes the
   * remaining alerts.
   */
  @Column({ name: 'policy_id', type: 'uuid' }) policyId!: string;
  @Column({ name: 'event_id', type: 'uuid' }) eventId!: string;
  @Column({ name: 'bot_id', type: 'uuid', nullable: true }) botId!: string | null;
  @Text('name') name!: string;
  /** Ids of the resources in the alert's event, by their field names. */
  @Json('ids') ids!: Record<string, string>;
  @Text('severity') severity!: 'critical' | 'normal';
  /** Subject of the alert, such as a contact. Alerts with the same subject share a line of the message. */
  @Text('subject') subject!: string;
  @Text('state', { default: 'pending' }) state!: AlertState;
  @NullableText('reason') reason!: string | null;
  /** Alert message that contains the alert; null while no message contains it. */
  @Column({ name: 'message_id', type: 'uuid', nullable: true }) messageId!: string | null;
  @Timestamp('occurred_at') occurredAt!: Date;
  @CreatedAt() createdAt!: Date;
}
