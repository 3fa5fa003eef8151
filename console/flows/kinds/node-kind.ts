import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from './fields.ts';

/** An output of a flow's step, which a connection joins to another step. */
export interface Port {
  id: string;
  /** Text for users that says when the flow leaves the step through this output. */
  label: string;
}

/** How the editor shows a type of flow step: the fields of its form, its outputs and texts. */
export interface NodeKind {
  title: string;
  /** Text for users that says what the step does. */
  description: string;
  fields: readonly Field[];
  ports(data: NodeData): Port[];
  /** Summarizes the settings of a flow's step in a few words; empty if the step has no settings yet. */
  summary(data: NodeData): string;
}
