import { isServed } from '../../../entities/bots/bot.entity.ts';
import type { NewTurn } from '../../../repositories/conversations/turn.repository.ts';
import type { LockedConversation, TurnState } from '../../../repositories/conversations/turn.sql.ts';

/**
 * What becomes of a turn: it gets an answer, a human has the conversation (`silent`), or it is not written because the
 * conversation has ended or is gone, the bot is off, its month is used up, or the client id is known already.
 */
export type TurnOutcome = 'answering' | 'silent' | 'ended' | 'gone' | 'bot_off' | 'quota' | 'duplicate';

export interface JudgedTurn {
  turn: NewTurn;
  outcome: TurnOutcome;
  at: Date;
  /** Null where it is gone. */
  conversation: LockedConversation | null;
}

/**
 * Judges the turns of a batch, in their order: each sees what those before it have used up and named.
 * @param conversations those that there are, locked with their bots
 * @param states of the turns, read behind the locks
 */
export function judgeTurns(
  turns: readonly NewTurn[],
  conversations: readonly LockedConversation[],
  states: readonly TurnState[],
): JudgedTurn[] {
  const byId = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  const written = new Set<string>();
  const answered = new Map<string, number>();
  return turns.map((turn, index) => {
    const state = states[index]!;
    const conversation = byId.get(turn.conversationId) ?? null;
    const name = turn.clientId === null ? null : `${conversation?.id} ${turn.clientId}`;
    const isKnown = state.isKnown || (name !== null && written.has(name));
    const used = state.used + (answered.get(conversation?.botId ?? '') ?? 0);
    const outcome = conversation ? outcomeOf(conversation, isKnown, used) : 'gone';
    if (outcome === 'answering') count(answered, conversation!.botId);
    if (name !== null && isWritten(outcome)) written.add(name);
    return { turn, outcome, conversation, at: state.at };
  });
}

export function isWritten(outcome: TurnOutcome): outcome is 'answering' | 'silent' {
  return outcome === 'answering' || outcome === 'silent';
}

function outcomeOf(
  { status, monthlyMessageCap, ...bot }: LockedConversation,
  isKnown: boolean,
  used: number,
): TurnOutcome {
  if (status === 'ended') return 'ended';
  if (!isServed({ status: bot.botStatus, isPublic: bot.isPublic }) || bot.deletedAt !== null)
    return 'bot_off';
  if (isKnown) return 'duplicate';
  if (status !== 'active') return 'silent';
  return monthlyMessageCap !== null && used >= monthlyMessageCap ? 'quota' : 'answering';
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
