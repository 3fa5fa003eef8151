export interface FlowNode {
  id: string;
  type: FlowNodeType;
  /** Position of the flow's step on the canvas of the editor, in pixels. */
  position?: { x: number; y: number };
  data: Record<string, unknown>;
}

/** A connection from a port of one flow step to another step. */
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

/** Returns the ids of other flows to which jump steps of a flow's graph lead. */
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

/** Port by which a flow's run leaves a step that has only one exit. */
export const OUT = 'out';

/** Maximum size of a flow's graph. */
export const graphBounds = { nodes: 100, edges: 300, bytes: 200 * 1024 } as const;

/** Limits while a flow runs. A run that exceeds one of these limits fails. */
export const runBounds = {
  stepsOfTurn: 50,
  requestsOfTurn: 5,
  stepsOfSession: 500,
  variables: 50,
  /** Maximum number of characters in a variable's value when written as text. */
  variableLength: 4000,
  jumpsToFlows: 5,
  /** Maximum number of characters in the response to a flow's HTTP request, as JSON. */
  replyLength: 256 * 1024,
  /** Maximum number of characters in a value that a flow's rules compare. */
  comparedLength: 4000,
  /** Maximum number of a list's items that a flow's rules compare. */
  comparedItems: 500,
  /** Maximum number of characters in all values together that a template inserts. */
  insertedLength: 20_000,
  /**
   * Maximum number of characters that one step of a flow may read, write and compare. This number of
   * characters takes at most about 10 ms of CPU time.
   */
  workOfStep: 250_000,
  workOfTurn: 4_000_000,
  /**
   * Maximum number of characters in all texts that a flow sends in one turn. The visitor gets these texts as
   * one message.
   */
  saidInTurn: 100_000,
} as const;

export const NODE_ID = '^[\\w-]{1,64}$';

/**
 * Pattern of a flow variable's name. The name begins with a letter, so that `__proto__` is not a valid name.
 */
export const VARIABLE = '^[A-Za-z]\\w{0,63}$';
