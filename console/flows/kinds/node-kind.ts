import type { NodeData } from '../graph/flow-draft.ts';
import type { Field } from './fields.ts';

/** One way out of a step. */
export interface Port {
  id: string;
  /** For people: when it is taken. */
  label: string;
}

/** All that the editor knows of a type of step: its form, its ports and its words come from here. */
export interface NodeKind {
  title: string;
  /** What it is for. */
  description: string;
  fields: readonly Field[];
  ports(data: NodeData): Port[];
  /** What it does, in a few words; empty where nothing is said yet. */
  summary(data: NodeData): string;
}
