import type { PlanTier } from '../../core/billing/plans.ts';
import type { Admission } from '../../repositories/conversations/turn.repository.ts';
import type { LockedConversation, TurnState } from '../../repositories/conversations/turn.sql.ts';

/** How many messages a payer's plan has room for. */
export interface MessageRoom {
  /** Null where nothing limits them any more. */
  limit: number | null;
  /** Messages used of the limit, without those that top-ups paid for. */
  used: number;
  creditsLeft: number;
}

type LimitOf = (tier: PlanTier) => number | null;

/** Allowances of the payers whose messages are counted. */
export function roomsOf(states: readonly TurnState[], limitOf: LimitOf): Map<string, MessageRoom> {
  const rooms = new Map<string, MessageRoom>();
  for (const { payerId, planTier, planUsed: used, creditsLeft } of states) {
    if (payerId !== null && planTier !== null && used !== null)
      rooms.set(payerId, { limit: limitOf(planTier), used, creditsLeft });
  }
  return rooms;
}

/**
 * Payers whose messages are limited, but are not counted yet, or were not when their accounts were to be locked. Once they are
 * counted all are, also by processes, and under plans, for which nothing limits them.
 */
export function unreadyPayers(
  states: readonly TurnState[],
  conversations: readonly LockedConversation[],
  limitOf: LimitOf,
): string[] {
  const locked = new Set(
    conversations.flatMap(({ payerId, isAccountLocked }) => (isAccountLocked ? payerId : [])),
  );
  const unready = states.flatMap(({ payerId, planTier, planUsed }) => {
    if (payerId === null || planTier === null) return [];
    const isReady = planUsed === null ? limitOf(planTier) === null : locked.has(payerId);
    return isReady ? [] : payerId;
  });
  return [...new Set(unready)].toSorted();
}

/** How many more the plan takes: of the month's allowance, and then of top-ups. */
export function leftIn(room: MessageRoom): number {
  return allowanceLeft(room) + Math.max(0, room.creditsLeft);
}

export function allowanceLeft({ limit, used }: Pick<MessageRoom, 'limit' | 'used'>): number {
  return limit === null ? Infinity : Math.max(0, limit - used);
}

/** The allowance of the month is used up before top-ups are. */
export function admissionOf(
  room: MessageRoom,
  { payerId, day, messages }: Omit<Admission, 'credits'>,
): Admission {
  return { payerId, day, messages, credits: Math.max(0, messages - allowanceLeft(room)) };
}
