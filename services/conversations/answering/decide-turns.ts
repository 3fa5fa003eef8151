import { isServed } from '../../../entities/bots/bot.entity.ts';
import type { NewTurn } from '../../../repositories/conversations/turn.repository.ts';
import type { LockedConversation, TurnState } from '../../../repositories/conversations/turn.sql.ts';
import { countRemainingMessages, type MessageAllowance } from '../../usage/message-allowance.ts';

/**
 * Decision about a visitor's message.
 * - `answering`: the message is stored and answered.
 * - `silent`: the message is stored, but an agent answers it, or was asked to.
 * - `ended`, `gone`: refused, since the conversation has ended or was deleted.
 * - `bot_off`: refused, since the bot is deleted, or not both active and public.
 * - `quota`: refused, since the monthly limit of the bot or of the plan is reached.
 * - `duplicate`: refused, since the client id is known.
 */
export type TurnOutcome = 'answering' | 'silent' | 'ended' | 'gone' | 'bot_off' | 'quota' | 'duplicate';

export interface DecidedTurn {
  turn: NewTurn;
  outcome: TurnOutcome;
  at: Date;
  /** The conversation that the message belongs to, locked; null if it was deleted. */
  conversation: LockedConversation | null;
  /** The UTC day in whose limits the message counts. */
  day: string;
}

/**
 * Decides about each visitor's message of a batch, in order: earlier messages count toward the limits of
 * later messages.
 * @param conversations conversations of the batch, locked together with their bots
 * @param states state for each message, read after the locks were acquired
 * @param allowances remaining messages of payers whose plan limits them
 */
export function decideTurns(
  turns: readonly NewTurn[],
  conversations: readonly LockedConversation[],
  states: readonly TurnState[],
  allowances: ReadonlyMap<string, MessageAllowance>,
): DecidedTurn[] {
  const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  const writtenNames = new Set<string>();
  const addedByBot = new Map<string, number>();
  const addedByPayer = new Map<string, number>();
  return turns.map((turn, index) => {
    const state = states[index]!;
    const conversation = byId.get(turn.conversationId) ?? null;
    const name = turn.clientId === null ? null : `${conversation?.id} ${turn.clientId}`;
    const isKnown = state.isKnown || (name !== null && writtenNames.has(name));
    const usedMessages = state.used + (addedByBot.get(conversation?.botId ?? '') ?? 0);
    const allowance = allowances.get(state.payerId ?? '');
    const isFull =
      allowance !== undefined &&
      (addedByPayer.get(state.payerId ?? '') ?? 0) >= countRemainingMessages(allowance);
    const outcome = conversation
      ? decideOutcome(conversation, { isKnown, used: usedMessages, isFull })
      : 'gone';
    if (outcome === 'answering') {
      incrementCount(addedByBot, conversation!.botId);
      incrementCount(addedByPayer, conversation!.payerId);
    }
    if (name !== null && isWritten(outcome)) writtenNames.add(name);
    return { turn, outcome, conversation, at: state.at, day: state.day };
  });
}

export function isWritten(outcome: TurnOutcome): outcome is 'answering' | 'silent' {
  return outcome === 'answering' || outcome === 'silent';
}

function decideOutcome(
  { status, monthlyMessageCap, ...bot }: LockedConversation,
  { isKnown, used, isFull }: { isKnown: boolean; used: number; isFull: boolean },
): TurnOutcome {
  if (status === 'ended') return 'ended';
  if (!isServed({ status: bot.botStatus, isPublic: bot.isPublic }) || bot.deletedAt !== null)
    return 'bot_off';
  if (isKnown) return 'duplicate';
  if (status !== 'active') return 'silent';
  return isFull || (monthlyMessageCap !== null && used >= monthlyMessageCap) ? 'quota' : 'answering';
}

function incrementCount(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
