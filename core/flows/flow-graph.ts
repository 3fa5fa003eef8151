/** A step of a flow. */
export interface FlowNode {
  id: string;
  type: FlowNodeType;
  /** Position on the canvas. */
  position?: { x: number; y: number };
  data: Record<string, unknown>;
}

/** A connection between two steps. */
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

/** Returns the flows to which jumps of a graph lead. */
export function flowsLedTo({ nodes }: FlowGraph): string[] {
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

/** Default port by which a step is left. */
export const OUT = 'out';

/** Limits of a graph. */
export const graphBounds = { nodes: 100, edges: 300, bytes: 200 * 1024 } as const;

/** Limits of a run; exceeding one fails it. */
export const runBounds = {
  stepsOfTurn: 50,
  requestsOfTurn: 5,
  stepsOfSession: 500,
  variables: 50,
  /** Maximum length of a variable's value as text. */
  variableLength: 4000,
  jumpsToFlows: 5,
  /** Maximum size of a response, as JSON. */
  replyLength: 256 * 1024,
  /** Characters of a value to compare. */
  comparedLength: 4000,
  /** Items of a list to compare. */
  comparedItems: 500,
  /** Characters of all values inserted into a template. */
  placedLength: 20_000,
  /** Characters that one step may read, write and compare: at most about 10 ms of CPU. */
  workOfStep: 250_000,
  workOfTurn: 4_000_000,
  /** Characters of a turn's texts. They become one message, which is stored, sent and rendered as a whole. */
  saidInTurn: 100_000,
} as const;

export const NODE_ID = '^[\\w-]{1,64}$';

/** Begins with a letter, so it cannot be `__proto__`. */
export const VARIABLE = '^[A-Za-z]\\w{0,63}$';
