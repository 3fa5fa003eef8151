import type { ProviderCharge, ProviderInvoice } from '../../../adapters/billing/payment-provider.ts';
import { TOPUP_MESSAGES } from '../../../core/billing/plans.ts';
import { newId } from '../../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { BillingAccount } from '../../../entities/billing/billing-account.entity.ts';
import type { ReceiptStatus } from '../../../entities/billing/receipt.entity.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { CreditRepository } from '../../../repositories/billing/credit.repository.ts';
import type { PayerRepository } from '../../../repositories/billing/payer.repository.ts';
import type { ReceiptRepository } from '../../../repositories/billing/receipt.repository.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { createBillingSyncCommand } from '../billing-commands.ts';
import type { BillingChanges } from '../billing-changes.ts';
import type { ProviderFacts } from '../provider-facts.ts';
import { calculateCreditChange, countRefundedMessages } from '../receipts/refunded-messages.ts';

export interface SyncWriterDeps {
  accounts: BillingAccountRepository;
  payers: PayerRepository;
  checkouts: CheckoutRepository;
  credits: CreditRepository;
  receipts: ReceiptRepository;
  outbox: OutboxService;
}

/** Stores the payment provider's data about a payer in one transaction. */
export class SyncWriter {
  readonly #deps: SyncWriterDeps;

  constructor(deps: SyncWriterDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the data. Returns false without writing if another process has changed the account since the
   * caller read it.
   * @param version version of the account that the caller read
   */
  write(scope: OrgScope, version: number, facts: ProviderFacts, changes: BillingChanges): Promise<boolean> {
    const { accounts, payers, receipts, outbox } = this.#deps;
    return inTransaction(scope, async (tx) => {
      // This update locks the account row: concurrent writers wait here.
      const account = await accounts.storeSynced(tx, version, changes.fields);
      if (!account) return false;
      const isBought = (await this.#updateCheckouts(tx, changes)) && account.paidTier !== 'free';
      if (isBought) await accounts.setOverride(tx, null);
      const override = isBought ? null : account.overrideTier;
      await payers.updateTier(tx.db, tx.orgId, override ?? account.paidTier);
      await this.#removeRefundedMessages(tx, account, facts.charges);
      const storedReceipts = await receipts.listByInvoices(
        tx,
        facts.invoices.map(({ id }) => id),
      );
      for (const { id, invoiceId, status: before } of storedReceipts) {
        const invoice = facts.invoices.find((each) => each.id === invoiceId);
        const status = invoice && toReceiptStatus(invoice, facts.charges);
        if (status && status !== before) await receipts.setStatus(tx, id, status);
      }
      const knownInvoiceIds = new Set(storedReceipts.map(({ invoiceId }) => invoiceId));
      const issued = facts.invoices.filter(
        ({ id, totalCents }) => totalCents > 0 && !knownInvoiceIds.has(id),
      );
      for (const invoice of issued) await receipts.insert(tx, toReceipt(invoice, facts.charges));
      // Signal the payer's workflow, which downloads the files of new receipts.
      if (issued.length > 0) await outbox.command(tx, createBillingSyncCommand(tx.orgId));
      return true;
    });
  }

  /**
   * Updates the payer's checkouts. Returns true if a tier was bought, in which case an operator's override of
   * the plan is removed.
   */
  async #updateCheckouts(scope: OrgScope, { checkouts: changes }: BillingChanges): Promise<boolean> {
    const { checkouts, credits } = this.#deps;
    let isBought = false;
    for (const { row, state, paymentId } of changes) {
      if (state === row.state) continue;
      await checkouts.updateState(scope, row.id, { state, ...(paymentId !== null && { paymentId }) });
      if (state !== 'completed') continue;
      if (row.product !== 'topup') isBought ||= row.kind !== 'resume';
      if (row.product !== 'topup' || row.sessionId === null || paymentId === null) continue;
      const messages = row.quantity * TOPUP_MESSAGES;
      await credits.insert(scope, { id: newId(), checkoutId: row.id, providerRef: row.sessionId, messages });
    }
    return isBought;
  }

  /** Removes the unused messages of refunded top-ups from the payer's balance. */
  async #removeRefundedMessages(
    scope: OrgScope,
    account: BillingAccount,
    charges: readonly ProviderCharge[],
  ): Promise<void> {
    const { accounts, checkouts, credits } = this.#deps;
    for (const row of await checkouts.listPaid(
      scope,
      charges.map(({ paymentId }) => paymentId),
    )) {
      const charge = charges.find(({ paymentId, state }) => state === 'paid' && paymentId === row.paymentId);
      if (!charge || row.product !== 'topup') continue;
      const refundedMessages = countRefundedMessages(row.quantity * TOPUP_MESSAGES, charge);
      if (refundedMessages === row.refundedMessages) continue;
      const current = (await accounts.find(scope.db, account.orgId)) ?? account;
      const messages = calculateCreditChange({
        due: refundedMessages,
        previouslyDue: row.refundedMessages,
        removed: await credits.getRefundedMessages(scope, row.id),
        remaining: current.creditsLeft,
      });
      await checkouts.setRefunded(scope, row.id, refundedMessages);
      await credits.insert(scope, {
        id: newId(),
        checkoutId: row.id,
        providerRef: `refund/${charge.paymentId}/${account.version}`,
        messages,
      });
    }
  }
}

function toReceiptStatus({ paymentIds }: ProviderInvoice, charges: readonly ProviderCharge[]): ReceiptStatus {
  const paidBy = charges.filter(({ paymentId, state }) => state === 'paid' && paymentIds.includes(paymentId));
  const isRefunded = paidBy.every(({ amountCents, refundedCents }) => refundedCents >= amountCents);
  return paidBy.length > 0 && isRefunded ? 'refunded' : 'paid';
}

function toReceipt(invoice: ProviderInvoice, charges: readonly ProviderCharge[]) {
  const { id: invoiceId, number, issuedAt, currency, description, addressee } = invoice;
  return {
    id: newId(),
    invoiceId,
    number,
    issuedAt,
    amountCents: invoice.totalCents,
    taxCents: invoice.taxCents,
    currency,
    status: toReceiptStatus(invoice, charges),
    description,
    addressee,
  };
}
