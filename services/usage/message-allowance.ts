import type { PlanTier } from '../../core/billing/plans.ts';
import type { Admission } from '../../repositories/conversations/turn.repository.ts';
import type { LockedConversation, TurnState } from '../../repositories/conversations/turn.sql.ts';

/** Remaining messages of a payer's plan in this month, and of its top-ups. */
export interface MessageAllowance {
  /** Monthly limit of the plan's messages; null if the plan has no limit. */
  limit: number | null;
  /** Messages that were counted against the monthly limit. Messages paid by top-ups are not included. */
  used: number;
  creditsLeft: number;
}

type GetLimit = (tier: PlanTier) => number | null;

/** Returns the remaining messages of payers by payer id, without payers whose messages are not counted. */
export function toAllowances(
  states: readonly TurnState[],
  getLimit: GetLimit,
): Map<string, MessageAllowance> {
  const allowances = new Map<string, MessageAllowance>();
  for (const { payerId, planTier, planUsed: used, creditsLeft } of states) {
    if (payerId !== null && planTier !== null && used !== null)
      allowances.set(payerId, { limit: getLimit(planTier), used, creditsLeft });
  }
  return allowances;
}

/**
 * Returns the payers for whom a counter of messages must be created first. Their plan limits messages, but
 * they have no counter, or the counter was created after their accounts were locked.
 */
export function findPayersWithoutCounter(
  states: readonly TurnState[],
  conversations: readonly LockedConversation[],
  getLimit: GetLimit,
): string[] {
  const locked = new Set(
    conversations.flatMap(({ payerId, isAccountLocked }) => (isAccountLocked ? payerId : [])),
  );
  const unready = states.flatMap(({ payerId, planTier, planUsed }) => {
    if (payerId === null || planTier === null) return [];
    const isReady = planUsed === null ? getLimit(planTier) === null : locked.has(payerId);
    return isReady ? [] : payerId;
  });
  return [...new Set(unready)].toSorted();
}

/** Returns the payer's remaining messages of the monthly allowance and of top-ups together. */
export function countRemainingMessages(allowance: MessageAllowance): number {
  return countRemainingAllowance(allowance) + Math.max(0, allowance.creditsLeft);
}

export function countRemainingAllowance({ limit, used }: Pick<MessageAllowance, 'limit' | 'used'>): number {
  return limit === null ? Infinity : Math.max(0, limit - used);
}

/** Charges messages to the payer's monthly allowance first, then to top-ups. */
export function toAdmission(
  allowance: MessageAllowance,
  { payerId, day, messages }: Omit<Admission, 'credits'>,
): Admission {
  return { payerId, day, messages, credits: Math.max(0, messages - countRemainingAllowance(allowance)) };
}
