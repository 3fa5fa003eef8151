import { createRateLimitedError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { RateWindowRepository } from '../../repositories/requests/rate-window.repository.ts';
import type { Charge } from './rate-limiter.ts';

/** An action that costs the operator money or sends requests to third parties, with its hourly limit. */
export interface LimitedAction {
  /** Name of the counter, for example `generations`. */
  name: string;
  /** Maximum number of these actions by a workspace in an hour; 0 for no limit. */
  limit: number;
  /** Noun phrase for the error message, for example `bots generated`. */
  what: string;
  /** If true, only workspaces with the free plan are limited. */
  isFreeOnly?: true;
}

interface CostCaller extends OrgScope {
  /** The signed-in user, or the creator of the API key. */
  userId: string;
}

const HOUR_SECONDS = 3600;
/**
 * All workspaces that share a paid plan may together use this multiple of the hourly limit. These workspaces
 * may be a hierarchy with many clients.
 */
const PAID_FACTOR = 5;

/**
 * Hourly limits that an account cannot multiply by creating workspaces. Each action counts for the workspace,
 * for the account in all of its workspaces, and for all workspaces that share the plan.
 */
export class CostLimits {
  readonly #orgs: Pick<OrgRepository, 'getPlan'>;
  readonly #rateWindows: RateWindowRepository;

  constructor(orgs: Pick<OrgRepository, 'getPlan'>, rateWindows: RateWindowRepository) {
    this.#orgs = orgs;
    this.#rateWindows = rateWindows;
  }

  /**
   * Counts several actions within the caller's transaction; a rollback undoes the count.
   * @throws AppError `rate_limited`
   */
  async spend(caller: CostCaller, action: LimitedAction, count: number): Promise<void> {
    for (const { own, group, shared } of await this.buildCharges(caller, action)) {
      const limits = [own, group, shared].filter((limit) => limit !== undefined);
      const counted = limits.map(({ key }) => ({ key, count }));
      const spent = await this.#rateWindows.spendAllWithin(caller.db, counted, HOUR_SECONDS);
      for (const { key, limit, refusal = '', name } of limits) {
        const { used, reset } = spent.get(key)!;
        if (limit > 0 && used > limit) throw createRateLimitedError(refusal, reset, name);
      }
    }
  }

  async buildCharges(
    caller: CostCaller,
    { name: counter, limit, what, isFreeOnly }: LimitedAction,
  ): Promise<Charge[]> {
    const { payerId, planTier } = await this.#orgs.getPlan(caller);
    if (isFreeOnly && planTier !== 'free') return [];
    const toLimit = (holder: string, refusal: string, factor = 1) => ({
      key: `${counter}:${holder}`,
      limit: limit * factor,
      windowSeconds: HOUR_SECONDS,
      refusal: `${refusal} per hour`,
      name: `${what} per hour`,
    });
    return [
      {
        own: toLimit(caller.orgId, `This workspace has reached its limit of ${what}`),
        group: toLimit(
          `account:${caller.userId}`,
          `In all workspaces together, your account has reached its limit of ${what}`,
        ),
        shared: toLimit(
          `payer:${payerId}`,
          `The workspaces that share a plan with this one have reached their limit of ${what}`,
          planTier === 'free' ? 1 : PAID_FACTOR,
        ),
      },
    ];
  }
}
