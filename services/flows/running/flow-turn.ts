import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import type { AskedInput, FlowInput } from '../../../core/flows/node-type.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { WrittenSession } from '../../../repositories/flows/flow-session.repository.ts';
import type { WorkflowCommand } from '../../../core/workflows/commands.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';
import type { Answer } from '../../conversations/answering/answerer.ts';

/** A turn for a flow to answer. */
export interface FlowTurn {
  scope: VisitorScope;
  bot: Bot;
  answerId: string;
  /** Id of the visitor's message; null if the flow continues without one: a wait expired, or the visitor booked. */
  replyToId: string | null;
  /** Undefined if unknown: it is then read from the visitor's message. */
  optionId: string | null | undefined;
  /** The conversation so far, ending with the visitor's message. */
  messages: ChatMessage[];
  acceptLanguage: string | null;
  signal: AbortSignal;
}

/** Changes that commit together with an answer, if the conversation is still the bot's. */
export interface FlowChange {
  session: WrittenSession;
  commands: WorkflowCommand[];
  /** Fields to store with the contact. */
  contact: Record<string, string>;
  /** Reason of a handoff request; null for no request. */
  handOver: string | null;
  /** True if the flow continued without a message of the visitor and wrote nothing: no message is stored. */
  isSilent: boolean;
}

export interface FlowAnswer {
  answer: Answer;
  input: AskedInput | null;
  flow: FlowChange | null;
  /** Error that the team sees. */
  problem: string | null;
}

/** Wraps an answer that no flow has taken part in. */
export function answerWithoutFlow(answer: Answer): FlowAnswer {
  return { answer, input: null, flow: null, problem: null };
}

/** State of a run that is stored between two turns. */
export interface StoredFlowState {
  variables: Record<string, unknown>;
  memory: Record<string, unknown> | null;
  jumpsToFlows: number;
}

export function toAskedInput({ kind, options }: FlowInput): AskedInput {
  return { kind, options };
}
