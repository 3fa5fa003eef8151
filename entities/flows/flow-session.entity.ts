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

/** `closed`: an agent took over, or the conversation ended, before the flow did. */
export type FlowSessionStatus = 'waiting' | 'completed' | 'handed_over' | 'failed' | 'closed';

/** Position of a conversation in a flow, or how its last flow ended. Variables are stored only while the flow waits. */
@Entity('flow_sessions')
@Index('ix_flow_sessions_flow', ['flowId', 'revision'])
export class FlowSession {
  @PrimaryColumn({ name: 'conversation_id', type: 'uuid', primaryKeyConstraintName: 'pk_flow_sessions' })
  @ForeignKey(() => Conversation, 'id', { name: 'fk_flow_sessions_conversation_id', onDelete: 'CASCADE' })
  conversationId!: string;
  /** Workspace of the conversation. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('flow_sessions', 'flow_id', () => Flow) flowId!: string;
  /** Revision of the graph with which it began. That graph is stored as long as the flow waits. */
  @Integer('revision') revision!: number;
  @Text('status') status!: FlowSessionStatus;
  @Text('node_id') nodeId!: string;
  @Sealed() @Json('awaiting', { nullable: true }) awaiting!: Sealed<FlowInput> | null;
  /** Encrypted with the master key and then with the workspace's key. */
  @Sealed() @NullableText('sealed_state') sealedState!: Sealed<string> | null;
  @KeyId() keyId!: string | null;
  @Integer('steps') steps!: number;
  /** Identifies the workflow that ends the wait; null if the wait has no limit. */
  @Column({ name: 'wait_id', type: 'uuid', nullable: true }) waitId!: string | null;
  /** Why it failed, for the team. */
  @NullableText('failure') failure!: string | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
