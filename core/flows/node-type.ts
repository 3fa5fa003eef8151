import type { TSchema } from '@sinclair/typebox';
import type { FlowNodeType } from './flow-graph.ts';
import type { FlowValues } from './flow-values.ts';
import type { StepWork } from './step-work.ts';

/** Kinds of input for visitors, with their choices. */
export interface FlowInput {
  node_id: string;
  kind: InputKind;
  options: FlowOption[];
}
/** The part of an input that a message shows. */
export type AskedInput = Omit<FlowInput, 'node_id'>;
export interface FlowOption {
  id: string;
  label: string;
}
export const askedFor = ['choice', 'text', 'email', 'phone', 'number', 'date'] as const;
export const inputKinds = [...askedFor, 'form', 'booking'] as const;
type InputKind = (typeof inputKinds)[number];

/** An event that a step handles. */
export type FlowEvent =
  /** The step was reached. */
  | { kind: 'entered' }
  /** `text` is the label if an option was selected. */
  | { kind: 'said'; text: string; optionId?: string | undefined }
  /** The step's effect was completed or failed, with this result. */
  | { kind: 'done'; port: string; body?: unknown }
  | { kind: 'timed_out' }
  /** The visitor has booked a time that the step offered. */
  | { kind: 'booked'; booking: BookedTime };

export interface BookedTime {
  /** ISO 8601, in UTC. */
  start: string;
  end: string;
  /** Time zone of the visitor, otherwise of the calendar. */
  timezone: string;
}

/** An effect that the runner of the flow performs; its result returns as `done`, with one of the ports. */
export type Effect =
  /** Ports: out with the answer's text, not_found. */
  | { kind: 'answer'; query: string; tags: string[] }
  /** Ports: out with the model's text, error. */
  | { kind: 'ask_model'; instructions: string }
  /** Ports: out with the response, error. */
  | { kind: 'request'; request: FlowRequest }
  /** Ports: out. */
  | { kind: 'keep_contact'; fields: Record<string, string> }
  /** Ports: offered if there are free times, unavailable. */
  | { kind: 'book' }
  /** Ports: out if a person was requested, unavailable. */
  | { kind: 'hand_over'; reason: string };

export interface FlowRequest {
  method: string;
  url: string;
  headers: { name: string; value: string; sealed?: string }[];
  body: string | null;
  timeoutMs: number;
}

/** Result of a step. */
export type Move =
  | { kind: 'leave'; port: string }
  | { kind: 'ask'; input: AskedInput; memory: Memory }
  | { kind: 'perform'; effect: Effect; memory?: Memory }
  | { kind: 'jump'; node: string }
  | { kind: 'change_flow'; flowId: string }
  | { kind: 'handed_over' }
  | { kind: 'end' };

/** State of a step until the run leaves it. */
export type Memory = Readonly<Record<string, unknown>>;

export interface DirectoryPlace {
  name: string;
  category?: string;
  link?: string;
}

/** A running step. */
export interface Visit {
  event: FlowEvent;
  values: FlowValues;
  /** Null when the step is reached. */
  memory: Memory | null;
  directory: readonly DirectoryPlace[];
  /** Work budget of the step. */
  work: StepWork;
}

/** Messages and effects of a step. */
export interface Outcome {
  texts?: string[];
  /** Variables to set; undefined removes one. */
  changes?: Record<string, unknown>;
  /** New values for paths that start with `http`. */
  http?: unknown;
  move: Move;
  /** A note for trial runs. */
  note?: string;
}

/** An error in a node's data. */
export interface DataFault {
  path: (string | number)[];
  message: string;
}

/** A feature that a step requires the bot to have enabled. */
export type Need = 'handoff' | 'lead_form' | 'directory' | 'calendar';

/** Defines a kind of step in one value. @template D its data */
export interface NodeType<D = never> {
  type: FlowNodeType;
  schema: TSchema;
  ports(data: D): string[];
  /** Lists of ports; at least one of each list must be connected before the flow may run. */
  needed(data: D): string[][];
  /** Templates in the data; their paths are checked. */
  templates(data: D): { path: (string | number)[]; text: string }[];
  /** Texts that may be empty while the flow is edited, but not when it runs. */
  said?(data: D): { path: (string | number)[]; text: string }[];
  /** Checks beyond the schema. */
  faults?(data: D): DataFault[];
  need?: Need;
  step(data: D, visit: Visit): Outcome;
}

/** Leaves the step by a port. */
export function leaving(port: string): Move {
  return { kind: 'leave', port };
}

/** Adapts a type for the table of all kinds, whose data was validated by the schema. */
export function nodeType<D>(type: NodeType<D>): NodeType {
  return type as unknown as NodeType;
}
