import type { UsageSummary } from '../client/types.ts';

export type LimitName = keyof UsageSummary['limits'];

/** Usage of something that the workspace's plan limits, such as messages. */
export interface LimitUse {
  limit: LimitName;
  used: number;
  /** Maximum that the plan allows; null if unlimited. */
  max: number | null;
  isExceeded: boolean;
}

export const limitNames: Readonly<Record<LimitName, string>> = {
  messages_per_month: 'Messages this month',
  documents: 'Documents',
  bots: 'Bots',
  seats: 'Seats',
  alerts_per_month: 'Alerts this month',
};

/** Returns the usage of each limit of the workspace's plan, in the order in which plans list their limits. */
export function listLimitUses(usage: UsageSummary): LimitUse[] {
  const { limits, exceeded } = usage;
  const used: Record<LimitName, number> = {
    messages_per_month: usage.messages,
    documents: usage.documents,
    bots: usage.bots,
    seats: usage.seats,
    alerts_per_month: usage.alerts,
  };
  return (Object.keys(limitNames) as LimitName[]).map((limit) => ({
    limit,
    used: used[limit],
    max: limits[limit],
    isExceeded: exceeded.includes(limit),
  }));
}

/**
 * Returns whether the workspace pays for its plan (`payer`), uses the plan of a higher workspace (`sharer`),
 * or has no limits. A payer with unlimited messages counts as a sharer, since the API then reports no
 * additional messages.
 */
export function getPlanRole({
  limits,
  topup_credits_left: credits,
}: Pick<UsageSummary, 'limits' | 'topup_credits_left'>): 'payer' | 'sharer' | 'unlimited' {
  if (Object.values(limits).every((limit) => limit === null)) return 'unlimited';
  return credits === null ? 'sharer' : 'payer';
}
