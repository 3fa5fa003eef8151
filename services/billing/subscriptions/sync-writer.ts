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
import { syncBillingCommand } from '../billing-commands.ts';
import type { BillingVerdict } from '../judge-billing.ts';
import type { ProviderFacts } from '../provider-facts.ts';
import { creditChange, refundedMessages } from '../receipts/refunded-messages.ts';

export interface SyncWriterDeps {
  accounts: BillingAccountRepository;
  payers: PayerRepository;
  checkouts: CheckoutRepository;
  credits: CreditRepository;
  receipts: ReceiptRepository;
  outbox: OutboxService;
}

/** Writes down what the provider says, all of it or nothing. */
export class SyncWriter {
  readonly #deps: SyncWriterDeps;

  constructor(deps: SyncWriterDeps) {
    this.#deps = deps;
  }

  /** Returns whether nothing was taken over since the version that was read before the provider was asked. */
  write(scope: OrgScope, version: number, facts: ProviderFacts, verdict: BillingVerdict): Promise<boolean> {
    const { accounts, payers, receipts, outbox } = this.#deps;
    return inTransaction(scope, async (tx) => {
      // It locks the account, behind which all others wait who write down what they were told.
      const account = await accounts.takeOver(tx, version, verdict.fields);
      if (!account) return false;
      const isBought = (await this.#moveCheckouts(tx, verdict)) && account.paidTier !== 'free';
      if (isBought) await accounts.setOverride(tx, null);
      const given = isBought ? null : account.overrideTier;
      await payers.updateTier(tx.db, tx.orgId, given ?? account.paidTier);
      await this.#takeBack(tx, account, facts.charges);
      const known = await receipts.listOfInvoices(
        tx,
        facts.invoices.map(({ id }) => id),
      );
      for (const { id, invoiceId, status: before } of known) {
        const invoice = facts.invoices.find((each) => each.id === invoiceId);
        const status = invoice && statusOf(invoice, facts.charges);
        if (status && status !== before) await receipts.setStatus(tx, id, status);
      }
      const isKnown = new Set(known.map(({ invoiceId }) => invoiceId));
      const issued = facts.invoices.filter(({ id, totalCents }) => totalCents > 0 && !isKnown.has(id));
      for (const invoice of issued) await receipts.insert(tx, receiptOf(invoice, facts.charges));
      // Their files are fetched by the one workflow of the payer.
      if (issued.length > 0) await outbox.command(tx, syncBillingCommand(tx.orgId));
      return true;
    });
  }

  /** Returns whether a tier was bought, which takes the place of one that the operator has given. */
  async #moveCheckouts(scope: OrgScope, { checkouts: verdicts }: BillingVerdict): Promise<boolean> {
    const { checkouts, credits } = this.#deps;
    let isBought = false;
    for (const { row, state, paymentId } of verdicts) {
      if (state === row.state) continue;
      await checkouts.move(scope, row.id, { state, ...(paymentId !== null && { paymentId }) });
      if (state !== 'completed') continue;
      if (row.product !== 'topup') isBought ||= row.kind !== 'resume';
      if (row.product !== 'topup' || row.sessionId === null || paymentId === null) continue;
      const messages = row.quantity * TOPUP_MESSAGES;
      await credits.insert(scope, { id: newId(), checkoutId: row.id, providerRef: row.sessionId, messages });
    }
    return isBought;
  }

  /** Takes the messages that were paid back, as far as they are left. */
  async #takeBack(
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
      const due = refundedMessages(row.quantity * TOPUP_MESSAGES, charge);
      if (due === row.refundedMessages) continue;
      const present = (await accounts.find(scope.db, account.orgId)) ?? account;
      const messages = creditChange({
        due,
        askedBefore: row.refundedMessages,
        taken: await credits.getTaken(scope, row.id),
        left: present.creditsLeft,
      });
      await checkouts.setRefunded(scope, row.id, due);
      await credits.insert(scope, {
        id: newId(),
        checkoutId: row.id,
        providerRef: `refund/${charge.paymentId}/${account.version}`,
        messages,
      });
    }
  }
}

function statusOf({ paymentIds }: ProviderInvoice, charges: readonly ProviderCharge[]): ReceiptStatus {
  const paidBy = charges.filter(({ paymentId, state }) => state === 'paid' && paymentIds.includes(paymentId));
  const isGivenBack = paidBy.every(({ amountCents, refundedCents }) => refundedCents >= amountCents);
  return paidBy.length > 0 && isGivenBack ? 'refunded' : 'paid';
}

function receiptOf(invoice: ProviderInvoice, charges: readonly ProviderCharge[]) {
  const { id: invoiceId, number, issuedAt, currency, description, addressee } = invoice;
  return {
    id: newId(),
    invoiceId,
    number,
    issuedAt,
    amountCents: invoice.totalCents,
    taxCents: invoice.taxCents,
    currency,
    status: statusOf(invoice, charges),
    description,
    addressee,
  };
}
