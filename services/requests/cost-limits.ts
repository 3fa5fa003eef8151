import type { OrgScope } from '../../database/org-scope.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import type { Charge } from './rate-limiter.ts';

/** Something that costs the operator money, or reaches strangers. */
export interface Cost {
  /** What it is counted as, e.g. `generations`. */
  name: string;
  /** How many a workspace may have in an hour; 0 for any number. */
  limit: number;
  /** What a refused caller has had, e.g. `bots generated`. */
  what: string;
  /** Whether only workspaces without a plan are limited. */
  isFreeOnly?: true;
}

interface CostCaller extends OrgScope {
  /** The person, or who made the API key. */
  userId: string;
}

const HOUR_SECONDS = 3600;
/** Workspaces with a plan share more among them: who has a hierarchy of clients has paid for it, or is the operator. */
const PAID_FACTOR = 5;

/**
 * Hourly limits that no account multiplies by having many workspaces: the same number counts for a workspace, for the account in
 * all workspaces, and for all workspaces that share a plan.
 */
export class CostLimits {
  readonly #orgs: Pick<OrgRepository, 'getPlan'>;

  constructor(orgs: Pick<OrgRepository, 'getPlan'>) {
    this.#orgs = orgs;
  }

  async chargesOf(caller: CostCaller, { name, limit, what, isFreeOnly }: Cost): Promise<Charge[]> {
    const { payerId, planTier } = await this.#orgs.getPlan(caller);
    if (isFreeOnly && planTier !== 'free') return [];
    const limitOf = (holder: string, refusal: string, factor = 1) => ({
      key: `${name}:${holder}`,
      limit: limit * factor,
      windowSeconds: HOUR_SECONDS,
      refusal: `${refusal} in an hour`,
    });
    return [
      {
        own: limitOf(caller.orgId, `This workspace has had all the ${what} that it may`),
        group: limitOf(
          `account:${caller.userId}`,
          `In all workspaces together your account has had all the ${what} that it may`,
        ),
        shared: limitOf(
          `payer:${payerId}`,
          `The workspaces that share a plan with this one have had all the ${what} that they may`,
          planTier === 'free' ? 1 : PAID_FACTOR,
        ),
      },
    ];
  }
}
