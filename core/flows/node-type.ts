import type { TSchema } from '@sinclair/typebox';
import type { FlowNodeType } from './flow-graph.ts';
import type { FlowValues } from './flow-values.ts';
import type { StepWork } from './step-work.ts';

/** Input that a step of a flow requests from the visitor, with its options. */
export interface FlowInput {
  node_id: string;
  kind: InputKind;
  options: FlowOption[];
}
/** Input that a step of a flow requests, before the flow adds the id of the step. */
export type RequestedInput = Omit<FlowInput, 'node_id'>;
export interface FlowOption {
  id: string;
  label: string;
}
export const questionInputKinds = ['choice', 'text', 'email', 'phone', 'number', 'date'] as const;
export const inputKinds = [...questionInputKinds, 'form', 'booking'] as const;
type InputKind = (typeof inputKinds)[number];

/** An event to which a step of a flow reacts. */
export type FlowEvent =
  /** The run of the flow has reached the step. */
  | { kind: 'entered' }
  /** The visitor has sent a message, or selected an option. `text` is then the label of the option. */
  | { kind: 'said'; text: string; optionId?: string | undefined }
  /** The effect that the step requested, such as an HTTP request, has ended with this result. */
  | { kind: 'done'; port: string; body?: unknown }
  | { kind: 'timed_out' }
  /** The visitor has booked one of the times that the step offered. */
  | { kind: 'booked'; booking: BookedTime };

export interface BookedTime {
  /** Start of the meeting in ISO 8601 and UTC. `end` has the same format. */
  start: string;
  end: string;
  /** Time zone of the visitor who booked, or of the calendar if the visitor's is unknown. */
  timezone: string;
}

/**
 * An effect outside of the flow, such as an HTTP request, which the code that runs the flow performs. The
 * step then gets a `done` event with its result and one of the listed ports.
 */
export type Effect =
  /**
   * An effect that answers a question from the bot's documents. Ports: `out` with the text of the answer, or
   * `not_found`.
   */
  | { kind: 'answer'; query: string; tags: string[] }
  /** An effect that asks the language model. Ports: `out` with the text of the model, or `error`. */
  | { kind: 'ask_model'; instructions: string }
  /** An effect that sends an HTTP request. Ports: `out` with the response, or `error`. */
  | { kind: 'request'; request: FlowRequest }
  /** An effect that stores fields of the visitor's contact. Port: `out`. */
  | { kind: 'keep_contact'; fields: Record<string, string> }
  /**
   * An effect that offers the visitor times for a meeting. Ports: `offered` if there are free times,
   * `unavailable` if not.
   */
  | { kind: 'book' }
  /**
   * An effect that requests an agent for the visitor. Ports: `out` if the request was made, `unavailable` if
   * not.
   */
  | { kind: 'hand_over'; reason: string };

export interface FlowRequest {
  method: string;
  url: string;
  headers: { name: string; value: string; sealed?: string }[];
  body: string | null;
  timeoutMs: number;
}

/** Says how the run of a flow continues after a step has handled an event. */
export type StepTransition =
  | { kind: 'leave'; port: string }
  | { kind: 'ask'; input: RequestedInput; memory: Memory }
  | { kind: 'perform'; effect: Effect; memory?: Memory }
  | { kind: 'jump'; node: string }
  | { kind: 'change_flow'; flowId: string }
  | { kind: 'handed_over' }
  | { kind: 'end' };

/** Data that a step of a flow stores between events, until the run leaves the step. */
export type Memory = Readonly<Record<string, unknown>>;

export interface DirectoryPlace {
  name: string;
  category?: string;
  link?: string;
}

/** Everything that a step of a flow can read when it handles an event. */
export interface StepInput {
  event: FlowEvent;
  values: FlowValues;
  /** Stored data of the step; null when the run has just reached the step. */
  memory: Memory | null;
  directory: readonly DirectoryPlace[];
  /** Counter that limits the work of the flow's step. */
  work: StepWork;
}

/**
 * Result of a flow's step that has handled an event: texts for the visitor, changes of variables, and how the
 * run continues.
 */
export interface StepResult {
  texts?: string[];
  /** New values of the flow's variables, by name; undefined deletes a variable. */
  changes?: Record<string, unknown>;
  /** New value that templates read by paths that start with `http`: the response to an HTTP request. */
  http?: unknown;
  move: StepTransition;
  /** Remark about the step that only test runs of a flow show. */
  note?: string;
}

/** An error in the data of a flow's step. */
export interface DataFault {
  path: (string | number)[];
  message: string;
}

/** A feature of the bot that a type of flow step needs. */
export type RequiredFeature = 'handoff' | 'lead_form' | 'directory' | 'calendar';

/**
 * Definition of a type of flow step: its schema, its ports and its behavior.
 * @template D data of such a step
 */
export interface NodeType<D = never> {
  type: FlowNodeType;
  schema: TSchema;
  ports(data: D): string[];
  /**
   * Returns groups of a step's ports. At least one port of each group must be connected before the flow can be
   * activated.
   */
  listRequiredPorts(data: D): string[][];
  /** Returns the templates in a step's data, whose paths are checked. */
  templates(data: D): { path: (string | number)[]; text: string }[];
  /**
   * Returns the texts of a step that must not be empty when the flow runs. They may be empty while the flow is
   * edited.
   */
  listRequiredTexts?(data: D): { path: (string | number)[]; text: string }[];
  /** Returns errors in a step's data that the schema cannot detect. */
  faults?(data: D): DataFault[];
  need?: RequiredFeature;
  step(data: D, visit: StepInput): StepResult;
}

/** Creates the transition by which a flow's run leaves a step through a port. */
export function leaveStep(port: string): StepTransition {
  return { kind: 'leave', port };
}

/**
 * Converts the definition of a type of flow step for the table of all types. The schema guarantees that a
 * step's data has the type `D`.
 */
export function defineNodeType<D>(type: NodeType<D>): NodeType {
  return type as unknown as NodeType;
}
