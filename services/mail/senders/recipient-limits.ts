import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { PlanTier } from '../../../core/billing/plans.ts';
import { normalizeMailbox } from '../../../core/contacts/mailbox.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { RateWindowRepository } from '../../../repositories/requests/rate-window.repository.ts';
import type { SpentWindow } from '../../../repositories/requests/rate-window.sql.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';

export interface RecipientLimitsDeps {
  orgs: Pick<OrgRepository, 'getPlan'>;
  rateWindows: RateWindowRepository;
  keyring: Keyring;
}

/** Email to a person without an account in the workspace, with text that the sender wrote. */
export interface StrangerMail {
  to: string;
  /**
   * The account that sends the email or owns the API key; null if that account is unknown. `visitor` for an
   * email that a visitor caused.
   */
  by: { accountId: string } | 'visitor' | null;
  /** Number of emails to count: two for a booking, because its cancellation may be emailed later. */
  count: number;
  /** Field of the request's body that contains the email address. Errors refer to this field. */
  field?: string;
}

/** Maximum numbers of emails to people without an account in a day; null for no limit. */
interface Limits {
  workspaces: number | null;
  account: number | null;
  recipient: number;
}

const DAY_SECONDS = 24 * 60 * 60;
const PAID: Limits = { workspaces: 4000, account: 2000, recipient: 40 };
/**
 * Daily limits of emails to people without an account, by plan. Anyone can create a free workspace and send
 * emails in the operator's name, so the free limits suit a small business but not spam. A recipient gets at
 * most 40 emails from all paid workspaces together.
 */
const LIMITS: Readonly<Record<PlanTier, Limits>> = {
  free: { workspaces: 100, account: 40, recipient: 8 },
  starter: PAID,
  pro: PAID,
  business: PAID,
  enterprise: { workspaces: null, account: null, recipient: 40 },
};

interface Charge {
  key: string;
  limit: number;
  refusal: string;
}

/**
 * Limits the emails a day to people without an account: by workspaces that share a plan, by sending account,
 * and by recipient. The limit by recipient counts the emails of the whole installation.
 */
export class RecipientLimits {
  readonly #deps: RecipientLimitsDeps;

  constructor(deps: RecipientLimitsDeps) {
    this.#deps = deps;
  }

  /**
   * Counts emails to a person in the scope's transaction; a refusal rolls back that transaction.
   * @throws AppError `rate_limited`
   */
  async spend(scope: OrgScope, mail: StrangerMail): Promise<void> {
    const limits = await this.#listCharges(scope, mail);
    const outcomes = await this.#spendLimits(scope, limits, mail.count);
    for (const { key, limit, refusal } of limits) {
      const { used, reset } = outcomes.get(key)!;
      if (used > limit) throw createRateLimitError(refusal, Math.max(1, reset), mail.field);
    }
  }

  /**
   * Counts emails to a person in the scope's transaction if the limits allow them. If not, returns the
   * seconds until the limits allow them.
   */
  async trySpend(scope: OrgScope, mail: StrangerMail): Promise<number> {
    const limits = await this.#listCharges(scope, mail);
    // Counts before checking, so that concurrent transactions wait here. If each transaction checked first,
    // several could send the last allowed email.
    const outcomes = await this.#spendLimits(scope, limits, mail.count);
    const resets = limits.flatMap(({ key, limit }) => {
      const { used, reset } = outcomes.get(key)!;
      return used > limit ? [Math.max(1, reset)] : [];
    });
    if (resets.length > 0) await this.#spendLimits(scope, limits, -mail.count);
    return Math.max(0, ...resets);
  }

  #spendLimits(
    { db }: OrgScope,
    limits: readonly Charge[],
    count: number,
  ): Promise<ReadonlyMap<string, SpentWindow>> {
    const charges = limits.map(({ key }) => ({ key, count }));
    return this.#deps.rateWindows.spendAllWithin(db, charges, DAY_SECONDS);
  }

  async #listCharges(scope: OrgScope, { to, by }: StrangerMail): Promise<Charge[]> {
    const { orgs, keyring } = this.#deps;
    const { payerId, planTier } = await orgs.getPlan(scope);
    const { workspaces, account, recipient } = LIMITS[planTier];
    const remedy =
      planTier === 'free' ? '; a plan raises the limit: ask an owner of the workspace, or the operator' : '';
    // Counts emails of free and paid workspaces separately, so that free workspaces cannot use up a
    // recipient's limit.
    const kind = planTier === 'free' ? 'free' : 'paid';
    return [
      {
        key: `mails-to:${kind}:${keyring.digest('recipient', `mail/${normalizeMailbox(to)}`)}`,
        limit: recipient,
        refusal:
          by === 'visitor'
            ? 'No more emails can be sent to this address today; use a different address'
            : 'This address has reached its limit of emails from workspaces per day',
      },
      ...(account === null || by === null || by === 'visitor'
        ? []
        : [
            {
              key: `mails-of-account:${by.accountId}`,
              limit: account,
              refusal: `You have reached your limit of emails to other people per day, in all workspaces together${remedy}`,
            },
          ]),
      ...(workspaces === null
        ? []
        : [
            {
              key: `mails-of-payer:${payerId}`,
              limit: workspaces,
              refusal:
                by === 'visitor'
                  ? 'The limit of meetings booked per day is reached'
                  : `This workspace and those that share its plan have reached their limit of emails to other people per day${remedy}`,
            },
          ]),
    ];
  }
}

function createRateLimitError(refusal: string, seconds: number, field: string | undefined): AppError {
  return new AppError('rate_limited', `${refusal}; wait ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
    subject: 'limit emails to other people',
    ...(field !== undefined && { details: [{ field, in: 'body', code: 'rate_limited', message: refusal }] }),
  });
}
