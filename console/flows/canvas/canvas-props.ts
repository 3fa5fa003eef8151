import type { FlowEdge, FlowNodeType } from '../graph/flow-draft.ts';
import type { Place } from '../graph/edit-graph.ts';

/** A step as the canvas draws it. */
export interface DrawnStep {
  id: string;
  title: string;
  about: string;
  place: Place;
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
  /** Edges that the trial went along, as `source port`. */
  taken: ReadonlySet<string>;
  isReadOnly: boolean;
  /** What can be added. */
  addable: readonly (readonly [FlowNodeType, string])[];
  /** Why nothing can be added; null where something can. */
  addRefusal: string | null;
  onSelect(id: string | null): void;
  onPlace(places: ReadonlyMap<string, Place>): void;
  onConnect(edge: Required<FlowEdge>): void;
  onDisconnect(edges: readonly Required<FlowEdge>[]): void;
  onDelete(ids: readonly string[]): void;
  onAdd(type: FlowNodeType, place: Place): void;
  onTidy(): void;
}

/** The canvas on the page. */
export interface MountedCanvas {
  draw(props: CanvasProps): void;
  close(): void;
}
