import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from './fields.ts';

/** An output of a step. */
export interface Port {
  id: string;
  /** Condition under which the flow takes this port, for users. */
  label: string;
}

/** Definition of a type of step in the editor: its form, ports and texts. */
export interface NodeKind {
  title: string;
  /** Purpose of the step. */
  description: string;
  fields: readonly Field[];
  ports(data: NodeData): Port[];
  /** Describes the step briefly; empty if it is not configured yet. */
  summary(data: NodeData): string;
}
