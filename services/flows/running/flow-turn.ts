import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import type { AskedInput, FlowInput } from '../../../core/flows/node-type.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { WrittenSession } from '../../../repositories/flows/flow-session.repository.ts';
import type { WorkflowCommand } from '../../../core/workflows/commands.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';
import type { Answer } from '../../conversations/answering/answerer.ts';

/** A turn that is to be answered. */
export interface FlowTurn {
  scope: VisitorScope;
  bot: Bot;
  answerId: string;
  /** The visitor's message; null where the time is up that the visitor had. */
  replyToId: string | null;
  /** Undefined where it has to be read. */
  optionId: string | null | undefined;
  /** The conversation so far, ending with the visitor's message. */
  messages: ChatMessage[];
  acceptLanguage: string | null;
  signal: AbortSignal;
}

/** What commits together with an answer, while the conversation is still the bot's. */
export interface FlowChange {
  session: WrittenSession;
  commands: WorkflowCommand[];
  /** What is to be kept of the visitor. */
  contact: Record<string, string>;
  /** Why people are asked for; null where they are not. */
  handOver: string | null;
  /** The time was up, and nothing is said to that: no message is stored. */
  isSilent: boolean;
}

export interface FlowAnswer {
  answer: Answer;
  input: AskedInput | null;
  flow: FlowChange | null;
  /** What the team is to know of it. */
  problem: string | null;
}

/** An answer in which no flow takes part. */
export function ofBot(answer: Answer): FlowAnswer {
  return { answer, input: null, flow: null, problem: null };
}

/** What is kept of a run between two turns. */
export interface KeptState {
  variables: Record<string, unknown>;
  memory: Record<string, unknown> | null;
  jumpsToFlows: number;
}

export function shownInput({ kind, options }: FlowInput): AskedInput {
  return { kind, options };
}
