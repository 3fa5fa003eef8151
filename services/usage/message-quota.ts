import { planTiers, type Plans, type PlanTier } from '../../core/billing/plans.ts';
import { groupItems } from '../../core/group-items.ts';
import { toMonthRange } from '../../core/months.ts';
import type { Database } from '../../database/database.ts';
import type { PlanMonth } from '../../entities/usage/plan-month.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { Admission } from '../../repositories/conversations/turn.repository.ts';
import type { PlanMonthRepository } from '../../repositories/usage/plan-month.repository.ts';
import type { UsageRepository } from '../../repositories/usage/usage.repository.ts';
import type { DecidedTurn } from '../conversations/answering/decide-turns.ts';
import { toAdmission, type MessageAllowance } from './message-allowance.ts';

export interface MessageQuotaDeps {
  database: Database;
  plans: Plans;
  accounts: BillingAccountRepository;
  months: PlanMonthRepository;
  usage: UsageRepository;
}

const MAX_RECOUNTS = 500;

/** Counts messages against payers' plans. The count is exact, because counting locks the payer's account. */
export class MessageQuota {
  readonly #deps: MessageQuotaDeps;
  /** Tiers of plans that limit the messages in a month. */
  readonly tiers: readonly PlanTier[];

  constructor(deps: MessageQuotaDeps) {
    this.#deps = deps;
    this.tiers = planTiers.filter((tier) => this.getLimit(tier) !== null);
  }

  readonly getLimit = (tier: PlanTier): number | null => this.#deps.plans.getLimits(tier).messages_per_month;

  /** Creates the payers' message counters of a month, initialized with the messages used so far. */
  async createCounters(payerIds: readonly string[], day: string): Promise<void> {
    for (const payerId of payerIds) {
      await this.#deps.database.transaction((tx) => this.#createCounter(tx, payerId, day));
    }
  }

  /**
   * Returns how many answered messages of a batch each payer must be charged for, without payers whose
   * messages are not counted.
   */
  toAdmissions(
    decided: readonly DecidedTurn[],
    allowances: ReadonlyMap<string, MessageAllowance>,
  ): Admission[] {
    const answered = decided.filter(({ outcome }) => outcome === 'answering');
    const byPayer = groupItems(answered, ({ conversation }) => conversation!.payerId);
    return byPayer.flatMap(([payerId, turns]) => {
      const allowance = allowances.get(payerId);
      return allowance ? toAdmission(allowance, { payerId, day: turns[0]!.day, messages: turns.length }) : [];
    });
  }

  /**
   * Counts the messages of new monthly counters once more: other transactions may have added messages while a
   * counter was created.
   */
  async recountDue(): Promise<void> {
    const { database, months } = this.#deps;
    for (const month of await months.listToRecount(database, MAX_RECOUNTS))
      await database.transaction((tx) => this.#recount(tx, month));
  }

  async #recount(tx: Database, { payerId, month }: Pick<PlanMonth, 'payerId' | 'month'>): Promise<void> {
    const { accounts, months, usage } = this.#deps;
    await accounts.lock(tx, payerId);
    const { messages } = await usage.sumForPayer(tx, payerId, toMonthRange(month));
    await months.raiseCount(tx, { payerId, month, messages });
  }

  async #createCounter(tx: Database, payerId: string, day: string): Promise<void> {
    const { accounts, months, usage } = this.#deps;
    await accounts.lock(tx, payerId);
    const month = toMonthRange(day);
    if (await months.find(tx, payerId, month.from)) return;
    const { messages } = await usage.sumForPayer(tx, payerId, month);
    await months.insert(tx, { payerId, month: month.from, messages });
  }
}
