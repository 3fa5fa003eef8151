import type { Database } from '../../../database/database.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { BillingEventRepository } from '../../../repositories/billing/billing-event.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { ReceiptRepository } from '../../../repositories/billing/receipt.repository.ts';
import type { AddressedCommand, OutboxService } from '../../outbox/outbox-service.ts';
import { syncBillingCommand, tellCheckoutCommand } from '../billing-commands.ts';
import type { BillingEvents } from './billing-events.ts';

const BATCH = 200;
/** In one run; those who have waited longest are among them, and the others are spread over the next runs. */
const MOST_PAYERS = 10_000;
const MOST_CHECKOUTS = 5000;
const MOST_EVENT_BATCHES = 25;

export interface SweptBilling {
  accounts: number;
  checkouts: number;
  events: number;
}

export interface BillingSweepDeps {
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  receipts: ReceiptRepository;
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

  /** The payers come first, so that nothing keeps them waiting. */
  async run(db: Database): Promise<SweptBilling> {
    return {
      accounts: await this.#syncAccounts(db),
      checkouts: await this.#tellCheckouts(db),
      events: await this.#matchEvents(db),
    };
  }

  async #syncAccounts(db: Database): Promise<number> {
    const { accounts, receipts } = this.#deps;
    const due = await accounts.listDue(db, MOST_PAYERS);
    const withoutFile = await receipts.listPayersWithoutFile(db, MOST_PAYERS);
    const payers = [...new Set([...due.map(({ orgId }) => orgId), ...withoutFile])];
    return this.#tell(
      db,
      payers.map((orgId) => ({ orgId, command: syncBillingCommand(orgId) })),
    );
  }

  async #tellCheckouts(db: Database): Promise<number> {
    const overdue = await this.#deps.checkouts.listOverdue(db, MOST_CHECKOUTS);
    return this.#tell(
      db,
      overdue.map((row) => ({ orgId: row.orgId, command: tellCheckoutCommand(row) })),
    );
  }

  async #tell(db: Database, told: readonly Omit<AddressedCommand, 'traceparent'>[]): Promise<number> {
    const { outbox } = this.#deps;
    const { traceparent } = outbox;
    for (let at = 0; at < told.length; at += BATCH) {
      const commands = told.slice(at, at + BATCH).map((each) => ({ ...each, traceparent }));
      await outbox.commands(db, commands);
    }
    return told.length;
  }

  /** Those that came before what they are about. */
  async #matchEvents(db: Database): Promise<number> {
    let matched = 0;
    for (let batch = 1; batch <= MOST_EVENT_BATCHES; batch += 1) {
      const count = await db.transaction((tx) => this.#matchSome(tx));
      matched += count;
      if (count < BATCH) break;
    }
    return matched;
  }

  async #matchSome(db: Database): Promise<number> {
    const { events, receiver, outbox } = this.#deps;
    const commands: AddressedCommand[] = [];
    for (const { id, customerId, sessionId, checkoutId } of await events.listMatchable(db, BATCH)) {
      const session = sessionId === null || checkoutId === null ? null : { id: sessionId, checkoutId };
      const command = await receiver.commandFor(db, { customerId, session });
      if (!command) continue;
      await events.setMatched(db, id, command.orgId);
      commands.push(command);
    }
    await outbox.commands(db, commands);
    return commands.length;
  }
}
