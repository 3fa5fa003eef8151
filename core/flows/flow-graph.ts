export interface FlowNode {
  id: string;
  type: FlowNodeType;
  /** Position of the step on the canvas, in pixels. */
  position?: { x: number; y: number };
  data: Record<string, unknown>;
}

/** A connection from a port of one step to another step. */
export interface FlowEdge {
  source: string;
  port?: string;
  target: string;
}

export interface FlowGraph {
  version: 1;
  nodes: FlowNode[];
  edges: FlowEdge[];
}

/** Returns the ids of other flows to which jump steps of a graph lead. */
export function listJumpTargets({ nodes }: FlowGraph): string[] {
  return nodes.flatMap(({ type, data: { flow_id: id } }) =>
    type === 'jump' && typeof id === 'string' ? id.toLowerCase() : [],
  );
}

export const flowNodeTypes = [
  'start',
  'message',
  'question',
  'condition',
  'set',
  'knowledge_answer',
  'model_answer',
  'directory',
  'lead_form',
  'booking',
  'http_request',
  'handoff',
  'jump',
  'end',
] as const;
export type FlowNodeType = (typeof flowNodeTypes)[number];

/** Id of the only exit of a step with one exit. */
export const OUT = 'out';

/** Maximum size of a graph. */
export const graphBounds = { nodes: 100, edges: 300, bytes: 200 * 1024 } as const;

/** Limits while a flow runs. A run that exceeds one of these limits fails. */
export const runBounds = {
  stepsOfTurn: 50,
  requestsOfTurn: 5,
  stepsOfSession: 500,
  variables: 50,
  /** Maximum characters of a variable's value when written as text. */
  variableLength: 4000,
  jumpsToFlows: 5,
  /** Maximum length of the response to an HTTP request, as JSON. */
  replyLength: 256 * 1024,
  /** Maximum characters of a value that are compared. */
  comparedLength: 4000,
  /** Maximum items of a list that are compared. */
  comparedItems: 500,
  /** Maximum total length of the values that a template inserts. */
  insertedLength: 20_000,
  /**
   * Maximum characters that one step may read, write and compare. This number of characters takes at most
   * about 10 ms of CPU time.
   */
  workOfStep: 250_000,
  workOfTurn: 4_000_000,
  /** Maximum total length of the texts in a turn. The visitor gets these texts as one message. */
  saidInTurn: 100_000,
} as const;

export const NODE_ID = '^[\\w-]{1,64}$';

/** Pattern of a variable's name. It begins with a letter, so that `__proto__` is not a valid name. */
export const VARIABLE = '^[A-Za-z]\\w{0,63}$';
