import { Entity, Index } from 'typeorm';
import type { FlowGraph } from '../../core/flows/flow-graph.ts';
import { CreatedAt, Id, Integer, Json, Reference } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';
import { Flow } from './flow.entity.ts';

/** An immutable version of a flow's graph. */
@Entity('flow_revisions')
@Index('uq_flow_revisions_flow_revision', ['flowId', 'revision'], { unique: true })
@Index('ix_flow_revisions_org_id', ['orgId'])
export class FlowRevision {
  @Id('flow_revisions') id!: string;
  @Reference('flow_revisions', 'org_id', () => Org) orgId!: string;
  @Reference('flow_revisions', 'flow_id', () => Flow) flowId!: string;
  @Integer('revision') revision!: number;
  /** Graph of the flow with nodes and edges. Secret headers of HTTP requests are encrypted in it. */
  @Json('graph') graph!: FlowGraph;
  @CreatedAt() createdAt!: Date;
}
