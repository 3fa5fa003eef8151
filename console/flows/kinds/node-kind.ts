import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from './fields.ts';

/** An exit of a step, which an edge connects to another step. */
export interface Port {
  id: string;
  /** Text for users that says when the flow leaves through this port. */
  label: string;
}

/** How the editor shows a type of step: the fields of its form, its ports and texts. */
export interface NodeKind {
  title: string;
  /** Text for users that says what the step does. */
  description: string;
  fields: readonly Field[];
  ports(data: NodeData): Port[];
  /** Summarizes the settings of a step in a few words; empty if nothing is set yet. */
  summary(data: NodeData): string;
}
