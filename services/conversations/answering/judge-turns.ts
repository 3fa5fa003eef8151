import { isServed } from '../../../entities/bots/bot.entity.ts';
import type { NewTurn } from '../../../repositories/conversations/turn.repository.ts';
import type { LockedConversation, TurnState } from '../../../repositories/conversations/turn.sql.ts';
import { countRemainingMessages, type MessageAllowance } from '../../usage/message-allowance.ts';

/**
 * Decision about a turn. `answering`: it is written and answered. `silent`: it is written, but an agent has the
 * conversation or was asked for. The others refuse it:
 * - `ended`, `gone`: the conversation has ended or was deleted;
 * - `bot_off`: the bot is not active and public, or was deleted;
 * - `quota`: the monthly limit of the bot or of the plan is reached;
 * - `duplicate`: the client id is known.
 */
export type TurnOutcome = 'answering' | 'silent' | 'ended' | 'gone' | 'bot_off' | 'quota' | 'duplicate';

export interface JudgedTurn {
  turn: NewTurn;
  outcome: TurnOutcome;
  at: Date;
  /** Null if the conversation was deleted. */
  conversation: LockedConversation | null;
  /** The day (UTC) that the turn counts for. */
  day: string;
}

/**
 * Judges the turns of a batch in order: each one sees the messages and client ids that earlier ones have used.
 * @param conversations the existing conversations, locked with their bots
 * @param states state of each turn, read after the locks were taken
 * @param rooms message allowances of the payers whose plan limits messages
 */
export function judgeTurns(
  turns: readonly NewTurn[],
  conversations: readonly LockedConversation[],
  states: readonly TurnState[],
  rooms: ReadonlyMap<string, MessageAllowance>,
): JudgedTurn[] {
  const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  const written = new Set<string>();
  const ofBots = new Map<string, number>();
  const ofPayers = new Map<string, number>();
  return turns.map((turn, index) => {
    const state = states[index]!;
    const conversation = byId.get(turn.conversationId) ?? null;
    const name = turn.clientId === null ? null : `${conversation?.id} ${turn.clientId}`;
    const isKnown = state.isKnown || (name !== null && written.has(name));
    const used = state.used + (ofBots.get(conversation?.botId ?? '') ?? 0);
    const room = rooms.get(state.payerId ?? '');
    const isFull =
      room !== undefined && (ofPayers.get(state.payerId ?? '') ?? 0) >= countRemainingMessages(room);
    const outcome = conversation ? decideOutcome(conversation, { isKnown, used, isFull }) : 'gone';
    if (outcome === 'answering') {
      incrementCount(ofBots, conversation!.botId);
      incrementCount(ofPayers, conversation!.payerId);
    }
    if (name !== null && isWritten(outcome)) written.add(name);
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
