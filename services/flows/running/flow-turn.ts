import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import type { RequestedInput, FlowInput } from '../../../core/flows/node-type.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { WrittenSession } from '../../../repositories/flows/flow-session.repository.ts';
import type { WorkflowCommand } from '../../../core/workflows/commands.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';
import type { Answer } from '../../conversations/answering/answerer.ts';

/** A visitor's message, or a timeout or booking, that a flow must answer. */
export interface FlowTurn {
  scope: VisitorScope;
  bot: Bot;
  answerId: string;
  /**
   * Id of the visitor's message; null if the flow continues without a message, after a timeout or a booking.
   */
  replyToId: string | null;
  /**
   * Id of the option that the visitor selected; null for typed text. If undefined, the flow reads the id from
   * the visitor's message.
   */
  optionId: string | null | undefined;
  /** The conversation so far, ending with the visitor's message. */
  messages: ChatMessage[];
  acceptLanguage: string | null;
  signal: AbortSignal;
}

/**
 * Changes that a flow makes, which are committed with its answer. They are discarded if an agent has taken
 * the conversation over.
 */
export interface FlowChange {
  session: WrittenSession;
  commands: WorkflowCommand[];
  /** Fields that the flow stores in the visitor's contact. */
  contact: Record<string, string>;
  /**
   * True if the flow continued without a visitor's message and wrote nothing. The answer is then not stored.
   */
  isSilent: boolean;
}

export interface FlowAnswer {
  answer: Answer;
  input: RequestedInput | null;
  flow: FlowChange | null;
  /** Error message about the flow that the team sees; null if no error occurred. */
  problem: string | null;
}

/** Wraps an answer to which no flow has contributed, for callers that expect a flow's answer. */
export function answerWithoutFlow(answer: Answer): FlowAnswer {
  return { answer, input: null, flow: null, problem: null };
}

/** State of a flow that is stored until its next run in the conversation. */
export interface StoredFlowState {
  variables: Record<string, unknown>;
  memory: Record<string, unknown> | null;
  jumpsToFlows: number;
}

export function toAskedInput({ kind, options }: FlowInput): RequestedInput {
  return { kind, options };
}
