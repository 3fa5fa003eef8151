import type { Database } from '../../../database/database.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { BillingEventRepository } from '../../../repositories/billing/billing-event.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { ReceiptRepository } from '../../../repositories/billing/receipt.repository.ts';
import type { AddressedCommand, OutboxService } from '../../outbox/outbox-service.ts';
import { createBillingSyncCommand, createCheckoutSignal } from '../billing-commands.ts';
import type { BillingEvents } from './billing-events.ts';

const BATCH_SIZE = 200;
/**
 * Maximum number of payers that one run syncs, beginning with the payers that have waited longest. Later runs sync
 * the remaining payers.
 */
const MAX_PAYERS = 10_000;
const MAX_CHECKOUTS = 5000;
const MAX_EVENT_BATCHES = 25;

export interface BillingSweepResult {
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

/**
 * Syncs payers and checkouts with the payment provider regularly, in case the provider's events were lost.
 */
export class BillingSweep {
  readonly #deps: BillingSweepDeps;

  constructor(deps: BillingSweepDeps) {
    this.#deps = deps;
  }

  /**
   * Runs all syncs with the payment provider. Payers come first, so that checkouts and events do not delay
   * them.
   */
  async run(db: Database): Promise<BillingSweepResult> {
    return {
      accounts: await this.#syncAccounts(db),
      checkouts: await this.#signalCheckouts(db),
      events: await this.#matchEvents(db),
    };
  }

  async #syncAccounts(db: Database): Promise<number> {
    const { accounts, receipts } = this.#deps;
    const duePayers = await accounts.listDue(db, MAX_PAYERS);
    const withoutFile = await receipts.listPayersWithoutFile(db, MAX_PAYERS);
    const payers = [...new Set([...duePayers.map(({ orgId }) => orgId), ...withoutFile])];
    return this.#sendCommands(
      db,
      payers.map((orgId) => ({ orgId, command: createBillingSyncCommand(orgId) })),
    );
  }

  async #signalCheckouts(db: Database): Promise<number> {
    const overdue = await this.#deps.checkouts.listOverdue(db, MAX_CHECKOUTS);
    return this.#sendCommands(
      db,
      overdue.map((row) => ({ orgId: row.orgId, command: createCheckoutSignal(row) })),
    );
  }

  async #sendCommands(
    db: Database,
    addressed: readonly Omit<AddressedCommand, 'traceparent'>[],
  ): Promise<number> {
    const { outbox } = this.#deps;
    const { traceparent } = outbox;
    for (let at = 0; at < addressed.length; at += BATCH_SIZE) {
      const commands = addressed.slice(at, at + BATCH_SIZE).map((each) => ({ ...each, traceparent }));
      await outbox.commands(db, commands);
    }
    return addressed.length;
  }

  /**
   * Assigns the provider's stored events to payers and checkouts that did not exist when the events arrived.
   */
  async #matchEvents(db: Database): Promise<number> {
    let matched = 0;
    for (let batch = 1; batch <= MAX_EVENT_BATCHES; batch += 1) {
      const count = await db.transaction((tx) => this.#matchBatch(tx));
      matched += count;
      if (count < BATCH_SIZE) break;
    }
    return matched;
  }

  async #matchBatch(db: Database): Promise<number> {
    const { events, receiver, outbox } = this.#deps;
    const commands: AddressedCommand[] = [];
    for (const { id, customerId, sessionId, checkoutId } of await events.listMatchable(db, BATCH_SIZE)) {
      const checkoutSession =
        sessionId === null || checkoutId === null ? null : { id: sessionId, checkoutId };
      const command = await receiver.createCommand(db, { customerId, checkoutSession });
      if (!command) continue;
      await events.setMatched(db, id, command.orgId);
      commands.push(command);
    }
    await outbox.commands(db, commands);
    return commands.length;
  }
}
