import type { Database } from '../../database/database.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { BillingEventRepository } from '../../repositories/billing/billing-event.repository.ts';
import type { CheckoutRepository } from '../../repositories/billing/checkout.repository.ts';
import type { OutboxService } from '../outbox/outbox.service.ts';
import { syncBillingCommand, tellCheckoutCommand } from './billing-commands.ts';
import type { BillingEvents } from './billing-events.service.ts';

const BATCH = 200;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

export interface SweptBilling {
  accounts: number;
  checkouts: number;
  events: number;
}

export interface BillingSweepDeps {
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  events: BillingEventRepository;
  receiver: BillingEvents;
  outbox: OutboxService;
}

/** Finds what no event has told of, and has it looked at. */
export class BillingSweep {
  readonly #deps: BillingSweepDeps;

  constructor(deps: BillingSweepDeps) {
    this.#deps = deps;
  }

  async run(db: Database): Promise<SweptBilling> {
    return {
      events: await this.#matchEvents(db),
      checkouts: await this.#tellCheckouts(db),
      accounts: await this.#syncAccounts(db),
    };
  }

  async #syncAccounts(db: Database): Promise<number> {
    const { accounts, outbox } = this.#deps;
    return inBatches(FIRST_UUID, async (after) => {
      const due = await accounts.listDue(db, after, BATCH);
      const { traceparent } = outbox;
      const commands = due.map(({ orgId }) => ({ orgId, command: syncBillingCommand(orgId), traceparent }));
      await outbox.commands(db, commands);
      return due.map(({ orgId }) => orgId);
    });
  }

  async #tellCheckouts(db: Database): Promise<number> {
    const { checkouts, outbox } = this.#deps;
    return inBatches(FIRST_UUID, async (after) => {
      const overdue = await checkouts.listOverdue(db, after, BATCH);
      const { traceparent } = outbox;
      const commands = overdue.map((row) => ({
        orgId: row.orgId,
        command: tellCheckoutCommand(row),
        traceparent,
      }));
      await outbox.commands(db, commands);
      return overdue.map(({ id }) => id);
    });
  }

  /** Those that came before what they are about. */
  async #matchEvents(db: Database): Promise<number> {
    const { events, receiver, outbox } = this.#deps;
    let matched = 0;
    await inBatches('', async (after) => {
      const unmatched = await events.listUnmatched(db, after, BATCH);
      for (const { id, customerId, sessionId, checkoutId } of unmatched) {
        const session = sessionId === null || checkoutId === null ? null : { id: sessionId, checkoutId };
        await db.transaction(async (tx) => {
          const command = await receiver.commandFor(tx, { customerId, session });
          if (!command) return;
          await events.setMatched(tx, id, command.orgId);
          await outbox.commands(tx, [command]);
          matched += 1;
        });
      }
      return unmatched.map(({ id }) => id);
    });
    return matched;
  }
}

/** @param take some after the id, in the order of their ids, which it returns */
async function inBatches(first: string, take: (after: string) => Promise<string[]>): Promise<number> {
  let count = 0;
  for (let ids = await take(first); ids.length > 0; ids = ids.length < BATCH ? [] : await take(ids.at(-1)!))
    count += ids.length;
  return count;
}
