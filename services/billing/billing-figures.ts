import type { Database } from '../../database/database.ts';
import type { EventOutcome } from '../../entities/billing/billing-event.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { BillingEventRepository } from '../../repositories/billing/billing-event.repository.ts';

export interface BillingNumbers {
  syncAgeSeconds: number;
  outcomes: Record<EventOutcome, number>;
}

/** Reads metrics of the synchronization with the payment provider. */
export class BillingFigures {
  readonly #rows: { accounts: BillingAccountRepository; events: BillingEventRepository };

  constructor(rows: { accounts: BillingAccountRepository; events: BillingEventRepository }) {
    this.#rows = rows;
  }

  async read(db: Database): Promise<BillingNumbers> {
    const { accounts, events } = this.#rows;
    const [syncAgeSeconds, outcomes] = await Promise.all([
      accounts.getSyncAge(db),
      events.countByOutcome(db),
    ]);
    return { syncAgeSeconds, outcomes };
  }
}
