import type { FlowEdge, FlowNodeType } from '../graph/flow-draft.ts';
import type { StepPosition } from '../graph/edit-graph.ts';

/** A step of the flow, with what the canvas shows of it. */
export interface DrawnStep {
  id: string;
  type: FlowNodeType;
  title: string;
  about: string;
  position: StepPosition;
  ports: readonly { id: string; label: string }[];
  isStart: boolean;
  isSelected: boolean;
  isVisited: boolean;
  isWaiting: boolean;
  problems: readonly string[];
}

export interface CanvasProps {
  steps: readonly DrawnStep[];
  edges: readonly Required<FlowEdge>[];
  /** Connections that the last test run of the flow followed, each as `source port`. */
  followed: ReadonlySet<string>;
  isReadOnly: boolean;
  /** Types of steps that the user can add to the flow, with their titles. */
  addable: readonly (readonly [FlowNodeType, string])[];
  /** Reason why the user cannot add a step to the flow; null if the user can add one. */
  addRefusal: string | null;
  onSelect(id: string | null): void;
  onMove(positions: ReadonlyMap<string, StepPosition>): void;
  onConnect(edge: Required<FlowEdge>): void;
  onDisconnect(edges: readonly Required<FlowEdge>[]): void;
  onDelete(ids: readonly string[]): void;
  onAdd(type: FlowNodeType, position: StepPosition): void;
  onTidy(): void;
}
