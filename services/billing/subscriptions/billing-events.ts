import type { PaymentProvider } from '../../../adapters/billing/payment-provider.ts';
import type { Clock } from '../../../core/clock.ts';
import { AppError, createUnauthenticatedError } from '../../../core/errors/errors.ts';
import type { Database } from '../../../database/database.ts';
import type { BillingAccountRepository } from '../../../repositories/billing/billing-account.repository.ts';
import type { BillingEventRepository } from '../../../repositories/billing/billing-event.repository.ts';
import type { CheckoutRepository } from '../../../repositories/billing/checkout.repository.ts';
import type { AddressedCommand, OutboxService } from '../../outbox/outbox-service.ts';
import { createBillingSyncCommand, createCheckoutSignal } from '../billing-commands.ts';
import { parseProviderEvent, type EventFacts } from './event-facts.ts';

const RETRY_SECONDS = '300';

/**
 * Result of receiving a billing event, which the payment provider shows in its event log. `taken`: a sync was
 * started. `known`: the event was received before. `kept`: its payer or checkout is not known yet. `ignored`:
 * the event changes nothing.
 */
export type EventReception = 'taken' | 'known' | 'ignored' | 'kept';

export interface BillingEventsDeps {
  provider: PaymentProvider | undefined;
  accounts: BillingAccountRepository;
  checkouts: CheckoutRepository;
  events: BillingEventRepository;
  outbox: OutboxService;
  clock: Clock;
}

/**
 * Receives webhook events of the payment provider. An event only triggers a sync, which reads the provider's
 * current data.
 */
export class BillingEvents {
  readonly #deps: BillingEventsDeps;

  constructor(deps: BillingEventsDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the payment provider's event in the caller's transaction.
   * @param signature value of the signature header; empty if the header is missing
   * @throws AppError `not_ready` if no payment provider is configured; `unauthenticated` for an invalid
   *   signature; `malformed_json` or `validation_error` if the body is not an event
   */
  async receive(db: Database, body: Buffer, signature: string): Promise<EventReception> {
    const { provider, clock, events, outbox } = this.#deps;
    if (!provider)
      throw new AppError('not_ready', 'No payment provider is set up in this installation.', {
        headers: { 'Retry-After': RETRY_SECONDS },
      });
    if (!provider.isSigned(body, signature, clock.now()))
      throw createUnauthenticatedError(
        'The request has no valid signature from the payment provider, or its timestamp differs from the current time by more than five minutes.',
      );
    const facts = parseProviderEvent(body);
    if (!facts) throw new AppError('validation_error', 'The body is not an event of the payment provider.');
    if (facts.isLive !== provider.isLive) return 'ignored';
    const command = facts.isRelevant ? await this.createCommand(db, facts) : null;
    const { id, type, customerId, checkoutSession } = facts;
    const isNew = await events.insert(db, {
      id,
      type,
      customerId,
      sessionId: checkoutSession?.id ?? null,
      checkoutId: checkoutSession?.checkoutId ?? null,
      orgId: command?.orgId ?? null,
      outcome: command ? 'passed_on' : facts.isRelevant ? 'unmatched' : 'ignored',
    });
    if (!isNew) return 'known';
    if (command) await outbox.commands(db, [command]);
    return command ? 'taken' : facts.isRelevant ? 'kept' : 'ignored';
  }

  /**
   * Returns the command that syncs the payer or checkout of a provider's event; null if Parley knows neither.
   */
  async createCommand(
    db: Database,
    { customerId, checkoutSession }: Pick<EventFacts, 'customerId' | 'checkoutSession'>,
  ): Promise<AddressedCommand | null> {
    const { accounts, checkouts, outbox } = this.#deps;
    const { traceparent } = outbox;
    const row = checkoutSession && (await checkouts.findUnscoped(db, checkoutSession.checkoutId));
    if (row && (row.sessionId === null || row.sessionId === checkoutSession.id))
      return { orgId: row.orgId, command: createCheckoutSignal(row), traceparent };
    const account = customerId === null ? null : await accounts.findByCustomer(db, customerId);
    return account && { orgId: account.orgId, command: createBillingSyncCommand(account.orgId), traceparent };
  }
}
