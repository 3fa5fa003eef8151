import { createRateLimitedError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { RateWindowRepository } from '../../repositories/requests/rate-window.repository.ts';
import type { Charge, Limit } from './rate-limiter.ts';

/** An action that costs the operator money or sends requests to third parties, with its limit in an hour or a day. */
export interface LimitedAction {
  /** Name of the counter of this action, for example `generations`. */
  name: string;
  /** Maximum number of these actions by a workspace in an hour or a day; 0 for no limit. */
  limit: number;
  /** Noun phrase that names the actions in the error message, for example `bots generated`. */
  what: string;
  /** If true, only workspaces with the free plan are limited. */
  isFreeOnly?: true;
  /** If true, the limit applies to a day in place of an hour. */
  isDaily?: true;
}

interface CostCaller extends OrgScope {
  /** The signed-in user, or the creator of the API key. */
  userId: string;
}

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/**
 * Factor for the limit of all workspaces that share a paid plan together. These workspaces may be a hierarchy
 * with many clients.
 */
const PAID_FACTOR = 5;

/**
 * Enforces limits of costly actions that an account cannot multiply by creating workspaces. Each action
 * counts for the workspace, for the account in all of its workspaces, and for all workspaces that share the
 * plan.
 */
export class CostLimits {
  readonly #orgs: Pick<OrgRepository, 'getPlan'>;
  readonly #rateWindows: RateWindowRepository;

  constructor(orgs: Pick<OrgRepository, 'getPlan'>, rateWindows: RateWindowRepository) {
    this.#orgs = orgs;
    this.#rateWindows = rateWindows;
  }

  /**
   * Counts several costly actions within the caller's transaction; a rollback undoes the count.
   * @throws AppError `rate_limited`
   */
  async spend(caller: CostCaller, action: LimitedAction, count: number): Promise<void> {
    for (const { own, group, shared } of await this.buildCharges(caller, action)) {
      const limits = [own, group, shared].filter((limit) => limit !== undefined);
      const counted = limits.map(({ key }) => ({ key, count }));
      const spent = await this.#rateWindows.spendAllWithin(caller.db, counted, toSeconds(action));
      for (const { key, limit, refusal = '', name } of limits) {
        const { used, reset } = spent.get(key)!;
        if (limit > 0 && used > limit) throw createRateLimitedError(refusal, reset, name);
      }
    }
  }

  async buildCharges(caller: CostCaller, action: LimitedAction): Promise<Charge[]> {
    const { what, isFreeOnly } = action;
    const { payerId, planTier } = await this.#orgs.getPlan(caller);
    if (isFreeOnly && planTier !== 'free') return [];
    return [
      {
        own: toLimit(action, caller.orgId, `This workspace has reached its limit of ${what}`),
        group: toLimit(
          action,
          `account:${caller.userId}`,
          `In all workspaces together, your account has reached its limit of ${what}`,
        ),
        shared: toLimit(
          action,
          `payer:${payerId}`,
          `The workspaces that share a plan with this one have reached their limit of ${what}`,
          planTier === 'free' ? 1 : PAID_FACTOR,
        ),
      },
    ];
  }

  /** Builds the limit of a costly action of visitors, which only the workspace's payer has. */
  async buildVisitorLimits(scope: OrgScope, action: LimitedAction): Promise<Limit[]> {
    const { payerId, planTier } = await this.#orgs.getPlan(scope);
    if (action.isFreeOnly && planTier !== 'free') return [];
    const factor = planTier === 'free' ? 1 : PAID_FACTOR;
    return [toLimit(action, `payer:${payerId}`, `This chat has reached its limit of ${action.what}`, factor)];
  }
}

function toLimit(action: LimitedAction, holder: string, refusal: string, factor = 1) {
  const period = action.isDaily ? 'day' : 'hour';
  return {
    key: `${action.name}:${holder}`,
    limit: action.limit * factor,
    windowSeconds: toSeconds(action),
    refusal: `${refusal} per ${period}`,
    name: `${action.what} per ${period}`,
  };
}

function toSeconds({ isDaily }: LimitedAction): number {
  return isDaily ? DAY_SECONDS : HOUR_SECONDS;
}
