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

/** `closed`: people took over, or the conversation ended, before the flow did. */
export type FlowSessionStatus = 'waiting' | 'completed' | 'handed_over' | 'failed' | 'closed';

/** Where a conversation stands in a flow, or how the last one ended. Variables are there while it waits alone. */
@Entity('flow_sessions')
@Index('ix_flow_sessions_flow', ['flowId', 'revision'])
export class FlowSession {
  @PrimaryColumn({ name: 'conversation_id', type: 'uuid', primaryKeyConstraintName: 'pk_flow_sessions' })
  @ForeignKey(() => Conversation, 'id', { name: 'fk_flow_sessions_conversation_id', onDelete: 'CASCADE' })
  conversationId!: string;
  /** Its conversation's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('flow_sessions', 'flow_id', () => Flow) flowId!: string;
  /** Of the graph that it began with, which stays as long as it waits. */
  @Integer('revision') revision!: number;
  @Text('status') status!: FlowSessionStatus;
  @Text('node_id') nodeId!: string;
  @Sealed() @Json('awaiting', { nullable: true }) awaiting!: Sealed<FlowInput> | null;
  /** Sealed by the master key, and by the workspace's besides. */
  @Sealed() @NullableText('sealed_state') sealedState!: Sealed<string> | null;
  @KeyId() keyId!: string | null;
  @Integer('steps') steps!: number;
  /** Names the workflow that ends the wait; null where the visitor has all the time. */
  @Column({ name: 'wait_id', type: 'uuid', nullable: true }) waitId!: string | null;
  /** Why it failed, for the team. */
  @NullableText('failure') failure!: string | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}
