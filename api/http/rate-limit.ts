import type Koa from 'koa';
import type { Settings } from '../../core/settings.ts';
import { AppError } from '../../core/errors.ts';
import type { Limit, LimitState, RateLimiter } from '../../services/rate-limiter.ts';

export const orgLimit = (orgId: string, settings: Settings): Limit => ({
  key: `org:${orgId}`,
  limit: settings.rateLimitPerMinute,
  windowSeconds: 60,
});

export const ipLimit = (ip: string, settings: Settings): Limit => ({
  key: `ip:${ip}`,
  limit: settings.publicRateLimitPerMinute,
  windowSeconds: 60,
});

/** Spends one request and tells the caller what is left. @throws AppError `rate_limited` */
export async function enforceLimit(koa: Koa.Context, rateLimiter: RateLimiter, limit: Limit): Promise<void> {
  const state = await rateLimiter.consume(limit);
  setLimitHeaders(koa, state);
  if (state.isExceeded) throw rateLimited(state);
}

function rateLimited({ limit, resetSeconds }: LimitState): AppError {
  return new AppError('rate_limited', `The limit of ${limit} requests is used up; wait ${resetSeconds} s.`, {
    headers: { 'Retry-After': String(resetSeconds) },
  });
}

type Budget = Omit<LimitState, 'isExceeded'>;

/** The three headers of the budget: of several limits the one that is exceeded, else the one with the least left. */
function setLimitHeaders(koa: Koa.Context, { isExceeded, ...budget }: LimitState): void {
  const reported = koa.state['budget'] as Budget | undefined;
  if (!isExceeded && reported && reported.remaining <= budget.remaining) return;
  koa.state['budget'] = budget;
  writeLimitHeaders(koa, budget);
}

/** Headers for answers that no limit applies to, or that fail before one does. */
export function announceBudget(koa: Koa.Context, { publicRateLimitPerMinute: limit }: Settings): void {
  writeLimitHeaders(koa, { limit, remaining: limit, resetSeconds: 60 });
}

function writeLimitHeaders(koa: Koa.Context, { limit, remaining, resetSeconds }: Budget): void {
  koa.set({
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  });
}
