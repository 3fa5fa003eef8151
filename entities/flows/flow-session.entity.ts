import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { FlowInput } from '../../core/flows/node-type.ts';
import {
  CreatedAt,
  Integer,
  Json,
  NullableText,
  Reference,
  Text,
  UpdatedAt,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Conversation } from '../conversations/conversation.entity.ts';
import { Flow } from './flow.entity.ts';

/**
 * Status of a flow's run in a conversation. `closed`: an agent took over, or the conversation ended, before
 * the flow completed.
 */
export type FlowSessionStatus = 'waiting' | 'completed' | 'handed_over' | 'failed' | 'closed';

/**
 * The run of a flow in a conversation: the current position, or how the last run ended. Variables are stored
 * only while the run waits for the visitor.
 */
@Entity('flow_sessions')
@Index('ix_flow_sessions_flow', ['flowId', 'revision'])
export class FlowSession {
  @PrimaryColumn({ name: 'conversation_id', type: 'uuid', primaryKeyConstraintName: 'pk_flow_sessions' })
  @ForeignKey(() => Conversation, 'id', { name: 'fk_flow_sessions_conversation_id', onDelete: 'CASCADE' })
  conversationId!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('flow_sessions', 'flow_id', () => Flow) flowId!: string;
  /** Revision of the flow's graph when the run began. That graph is stored as long as the run waits. */
  @Integer('revision') revision!: number;
  @Text('status') status!: FlowSessionStatus;
  @Text('node_id') nodeId!: string;
  @Sealed() @Json('awaiting', { nullable: true }) awaiting!: Sealed<FlowInput> | null;
  /** State of the flow's run, encrypted with the master key and then with the workspace's key. */
  @Sealed() @NullableText('sealed_state') sealedState!: Sealed<string> | null;
  @KeyId() keyId!: string | null;
  @Integer('steps') steps!: number;
  /**
   * Id of the run's current wait for the visitor, by which a workflow ends the wait after a time limit; null
   * without a limit.
   */
  @Column({ name: 'wait_id', type: 'uuid', nullable: true }) waitId!: string | null;
  /** Reason, for the team, why the flow's run failed. */
  @NullableText('failure') failure!: string | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
