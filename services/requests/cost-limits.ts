import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
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
 * All workspaces that share a paid plan may together use this multiple of the hourly limit. They may be a
 * hierarchy with many clients.
 */
const PAID_FACTOR = 5;

/**
 * Hourly limits that an account cannot multiply by creating workspaces. Each action counts for the workspace,
 * for the account in all of its workspaces, and for all workspaces that share the plan.
 */
export class CostLimits {
  readonly #orgs: Pick<OrgRepository, 'getPlan'>;

  constructor(orgs: Pick<OrgRepository, 'getPlan'>) {
    this.#orgs = orgs;
  }

  async buildCharges(
    caller: CostCaller,
    { name, limit, what, isFreeOnly }: LimitedAction,
  ): Promise<Charge[]> {
    const { payerId, planTier } = await this.#orgs.getPlan(caller);
    if (isFreeOnly && planTier !== 'free') return [];
    const toLimit = (holder: string, refusal: string, factor = 1) => ({
      key: `${name}:${holder}`,
      limit: limit * factor,
      windowSeconds: HOUR_SECONDS,
      refusal: `${refusal} per hour`,
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
