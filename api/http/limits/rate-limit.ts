import type Koa from 'koa';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Holder } from '../../../repositories/accounts/credential-holder.ts';
import { createRateLimitedError, type AppError } from '../../../core/errors/errors.ts';
import {
  pickTighter,
  UNLIMITED,
  type Charge,
  type Limit,
  type LimitState,
  type RateLimiter,
} from '../../../services/requests/rate-limiter.ts';
import { limitByAddress } from './address-limits.ts';
import type { VisitorContext } from '../access/principal.ts';

/** Name of the setting that limits requests with API keys and sessions, for error messages. */
const REQUESTS_SETTING = 'PARLEY_RATE_LIMIT_PER_MINUTE';

/**
 * Returns the rate limits for a request with an API key or session: the workspace's limit and the
 * credential's limit. Omits the credential's limit if it is not lower, since it could never be reached first.
 */
export function personCharge({ budgetId, keyId, userId }: Holder, ip: string, settings: Settings): Charge {
  const ownLimit = {
    ...principalLimit(keyId === null ? `user:${userId}` : `key:${keyId}`, settings),
    name: REQUESTS_SETTING,
    refusal: `This API key or session has reached its limit of requests per minute (${REQUESTS_SETTING})`,
  };
  if (budgetId === null) return { ...addressCharge(ip, settings), own: ownLimit };
  const limit = settings.rateLimitPerMinute;
  const shared = {
    key: `org:${budgetId}`,
    limit,
    windowSeconds: 60,
    name: REQUESTS_SETTING,
    refusal: `The workspace has reached its limit of ${limit} requests per minute (${REQUESTS_SETTING})`,
  };
  const isImplied = shared.limit > 0 && (ownLimit.limit === 0 || ownLimit.limit >= shared.limit);
  return isImplied ? { shared } : { shared, own: ownLimit };
}

/**
 * Returns the rate limits for a visitor's request: the limits of the IP address and of the session. The
 * workspace's limit does not apply.
 */
export const visitorCharge = (ip: string, conversationId: string, settings: Settings): Charge => ({
  ...addressCharge(ip, settings),
  own: principalLimit(`session:${conversationId}`, settings),
});

/** Names the bot's field by which a team can raise the limit of messages, at the end of the error message. */
const SETTING = '(rate_limit_per_minute of the bot)';

/**
 * Returns the limits for a visitor's message: the limits of the session, the IP address, the IPv6 site and
 * the bot. The first three limits are a share of the bot's messages per minute, so that one visitor cannot
 * block the bot. A limit whose share is 100 % is omitted.
 */
export function buildMessageCharges(
  { ip, botId, conversationId, botMessagesPerMinute }: VisitorContext,
  settings: Settings,
): Charge[] {
  const maxForOneVisitor = botMessagesPerMinute - 1;
  const share = (percent: number, key: string, refusal: string): Limit | undefined => {
    if (percent === 100 || botMessagesPerMinute < 2) return undefined;
    const limit = Math.min(Math.ceil((botMessagesPerMinute * percent) / 100), maxForOneVisitor);
    return { key, limit, windowSeconds: 60, refusal };
  };
  const ownLimit = share(
    settings.sessionSharePercent,
    `messages:${conversationId}`,
    `This conversation has reached its limit of messages per minute ${SETTING}`,
  );
  const group = share(
    settings.addressSharePercent,
    `messages:${botId}`,
    `Your network address has reached its limit of messages per minute ${SETTING}`,
  );
  const shared = {
    key: `bot:${botId}`,
    limit: botMessagesPerMinute,
    windowSeconds: 60,
    refusal: `The assistant is receiving too many messages at the moment ${SETTING}`,
  };
  const [network, site] = group ? limitByAddress(ip, group) : [];
  const narrow = { ...(ownLimit && { own: ownLimit }), ...(network && { group: network }) };
  if (!site) return [{ ...narrow, shared }];
  return [{ ...narrow, shared: { ...site, limit: Math.min(site.limit, maxForOneVisitor) } }, { shared }];
}

/**
 * Returns the limits for an anonymous request: the limit of its IP address and, for IPv6, a wider limit of
 * its site.
 */
export function addressCharge(ip: string, settings: Settings): Charge {
  const limit = { key: 'ip', limit: settings.publicRateLimitPerMinute, windowSeconds: 60 };
  const [network, site] = limitByAddress(ip, limit);
  return site ? { group: network!, shared: site } : { shared: network! };
}

function principalLimit(key: string, settings: Settings): Limit {
  const limit = settings.principalRateLimitPerMinute ?? settings.rateLimitPerMinute;
  return { key, limit, windowSeconds: 60 };
}

/**
 * Counts a request against its rate limits. Stores the tightest limit for the response headers; after a
 * refusal, stores the limit with the longest wait.
 * @throws AppError `rate_limited`
 */
export async function enforceLimit(
  koa: Koa.Context,
  rateLimiter: RateLimiter,
  charge: Charge,
): Promise<void> {
  const { refusedBy, tightest } = await rateLimiter.consume(charge);
  const budget = recordBudget(koa, tightest);
  if (refusedBy) throw rateLimited(budget, refusedBy);
}

/** Records the state of a rate limit that applies to the request. Returns the tightest limit so far. */
export function recordBudget(koa: Koa.Context, state: LimitState): LimitState {
  const recorded = koa.state['budget'] as LimitState | undefined;
  const budget = recorded ? pickTighter(recorded, state) : state;
  koa.state['budget'] = budget;
  return budget;
}

export function rateLimited(
  { resetSeconds }: LimitState,
  { refusal = 'Too many requests were sent', name }: Pick<Limit, 'refusal' | 'name'>,
): AppError {
  return createRateLimitedError(refusal, resetSeconds, name);
}

/**
 * Sets the rate limit headers of a response. If no limit applies, or if the request failed before it was
 * counted, the headers state the full budget.
 */
export function announceBudget(koa: Koa.Context, settings: Settings): void {
  const tightest = koa.state['budget'] as LimitState | undefined;
  for (const [name, value] of budgetHeaders(tightest ?? untouchedBudget(settings)))
    koa.res.setHeader(name, value);
}

export function untouchedBudget({ publicRateLimitPerMinute: limit }: Settings): LimitState {
  return limit === 0 ? UNLIMITED : { limit, remaining: limit, resetSeconds: 60 };
}

export function budgetHeaders({ limit, remaining, resetSeconds }: LimitState): [string, string][] {
  return [
    ['RateLimit-Limit', String(limit)],
    ['RateLimit-Remaining', String(remaining)],
    ['RateLimit-Reset', String(resetSeconds)],
  ];
}
