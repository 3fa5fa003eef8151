import type { UsageSummary } from '../client/types.ts';

export type LimitName = keyof UsageSummary['limits'];

/** How much of a limit is used. */
export interface LimitUse {
  limit: LimitName;
  used: number;
  /** Null where there is no limit. */
  most: number | null;
  isExceeded: boolean;
}

export const limitName: Readonly<Record<LimitName, string>> = {
  messages_per_month: 'Messages this month',
  documents: 'Documents',
  bots: 'Bots',
  seats: 'Seats',
  alerts_per_month: 'Alerts this month',
};

/** In the order in which plans name them. */
export function limitUses(usage: UsageSummary): LimitUse[] {
  const { limits, exceeded } = usage;
  const used: Record<LimitName, number> = {
    messages_per_month: usage.messages,
    documents: usage.documents,
    bots: usage.bots,
    seats: usage.seats,
    alerts_per_month: usage.alerts,
  };
  return (Object.keys(limitName) as LimitName[]).map((limit) => ({
    limit,
    used: used[limit],
    most: limits[limit],
    isExceeded: exceeded.includes(limit),
  }));
}

/**
 * What a workspace has to do with the limits. Top-ups show to the one that pays alone; where messages have no limit, and
 * something else has, it does not show which one that is.
 */
export function sharingOf({
  limits,
  topup_credits_left: credits,
}: Pick<UsageSummary, 'limits' | 'topup_credits_left'>): 'payer' | 'sharer' | 'unlimited' {
  if (Object.values(limits).every((limit) => limit === null)) return 'unlimited';
  return credits === null ? 'sharer' : 'payer';
}
