import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { PlanTier } from '../../../core/billing/plans.ts';
import { mailboxOf } from '../../../core/contacts/mailbox.ts';
import { AppError } from '../../../core/errors/errors.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { RateWindowRepository } from '../../../repositories/requests/rate-window.repository.ts';
import type { SpentWindow } from '../../../repositories/requests/rate-window.sql.ts';
import type { OrgRepository } from '../../../repositories/team/org.repository.ts';

export interface RecipientLimitsDeps {
  orgs: Pick<OrgRepository, 'getPlan'>;
  windows: RateWindowRepository;
  keyring: Keyring;
}

/** Mails to somebody who has no account in the workspace, whose words are the sender's. */
export interface StrangerMail {
  to: string;
  /** The person who has it sent, or made the API key; `visitor` for one of a visitor. Null where that is not known any more. */
  by: { accountId: string } | 'visitor' | null;
  /** A booking counts for the mail that confirms it and for that which cancels it. */
  count: number;
  /** Of the body, that names the recipient. */
  field?: string;
}

/** In a day; null for any number. */
interface Limits {
  workspaces: number | null;
  account: number | null;
  recipient: number;
}

const DAY_SECONDS = 24 * 60 * 60;
const PAID: Limits = { workspaces: 4000, account: 2000, recipient: 40 };
/**
 * Without a plan anybody can have mails sent in the operator's name: as many as a small business needs, and too few to be worth
 * it to others. Nobody is to get more than 40 from all workspaces of a kind.
 */
const LIMITS: Readonly<Record<PlanTier, Limits>> = {
  free: { workspaces: 100, account: 40, recipient: 8 },
  starter: PAID,
  pro: PAID,
  business: PAID,
  enterprise: { workspaces: null, account: null, recipient: 40 },
};

interface Spending {
  key: string;
  limit: number;
  refusal: string;
}

/**
 * Keeps workspaces from mailing strangers at will: a day's mails are counted by the workspaces that share a plan, by account, and by
 * recipient over the whole installation.
 */
export class RecipientLimits {
  readonly #deps: RecipientLimitsDeps;

  constructor(deps: RecipientLimitsDeps) {
    this.#deps = deps;
  }

  /** Counts mails in the scope's transaction, which a refusal ends. @throws AppError `rate_limited` */
  async spend(scope: OrgScope, mail: StrangerMail): Promise<void> {
    const spendings = await this.#spendings(scope, mail);
    const spent = await this.#count(scope, spendings, mail.count);
    for (const { key, limit, refusal } of spendings) {
      const { used, reset } = spent.get(key)!;
      if (used > limit) throw refused(refusal, Math.max(1, reset), mail.field);
    }
  }

  /** Counts mails in the scope's transaction if they may be sent; otherwise returns for how many seconds they may not. */
  async trySpend(scope: OrgScope, mail: StrangerMail): Promise<number> {
    const spendings = await this.#spendings(scope, mail);
    // Counted first, so that transactions wait for each other: several would pass by the last place if each looked before it counts.
    const spent = await this.#count(scope, spendings, mail.count);
    const resets = spendings.flatMap(({ key, limit }) => {
      const { used, reset } = spent.get(key)!;
      return used > limit ? [Math.max(1, reset)] : [];
    });
    if (resets.length > 0) await this.#count(scope, spendings, -mail.count);
    return Math.max(0, ...resets);
  }

  #count(
    { db }: OrgScope,
    spendings: readonly Spending[],
    count: number,
  ): Promise<ReadonlyMap<string, SpentWindow>> {
    const charges = spendings.map(({ key }) => ({ key, count }));
    return this.#deps.windows.spendAllWithin(db, charges, DAY_SECONDS);
  }

  async #spendings(scope: OrgScope, { to, by }: StrangerMail): Promise<Spending[]> {
    const { orgs, keyring } = this.#deps;
    const { payerId, planTier } = await orgs.getPlan(scope);
    const { workspaces, account, recipient } = LIMITS[planTier];
    const remedy =
      planTier === 'free'
        ? '; with a plan there are more: ask an owner of the workspace, or the operator'
        : '';
    // Mails of workspaces without a plan leave those with one enough.
    const kind = planTier === 'free' ? 'free' : 'paid';
    return [
      {
        key: `mails-to:${kind}:${keyring.digest('recipient', `mail/${mailboxOf(to)}`)}`,
        limit: recipient,
        refusal:
          by === 'visitor'
            ? 'No more mails can be sent to this address today; give another one'
            : 'This address has had all the mails of workspaces that it may have within a day',
      },
      ...(account === null || by === null || by === 'visitor'
        ? []
        : [
            {
              key: `mails-of-account:${by.accountId}`,
              limit: account,
              refusal: `You have had all the mails sent to others that an account may within a day, in all workspaces together${remedy}`,
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
                  ? 'As many meetings were booked here as can be within a day'
                  : `This workspace, with those that share its plan, has had all the mails sent to others that it may within a day${remedy}`,
            },
          ]),
    ];
  }
}

function refused(refusal: string, seconds: number, field: string | undefined): AppError {
  return new AppError('rate_limited', `${refusal}; wait ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) },
    ...(field !== undefined && { details: [{ field, in: 'body', code: 'rate_limited', message: refusal }] }),
  });
}
