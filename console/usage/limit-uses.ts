import type { UsageSummary } from '../client/types.ts';

export type LimitName = keyof UsageSummary['limits'];

/** Usage of a limit. */
export interface LimitUse {
  limit: LimitName;
  used: number;
  /** Null without a limit. */
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

/** Returns the usage of each limit, in the order of plans. */
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
 * Returns the workspace's role in its plan. Only the payer sees top-ups. If messages are unlimited but another limit
 * exists, payer and sharer cannot be distinguished.
 */
export function getPlanRole({
  limits,
  topup_credits_left: credits,
}: Pick<UsageSummary, 'limits' | 'topup_credits_left'>): 'payer' | 'sharer' | 'unlimited' {
  if (Object.values(limits).every((limit) => limit === null)) return 'unlimited';
  return credits === null ? 'sharer' : 'payer';
}
