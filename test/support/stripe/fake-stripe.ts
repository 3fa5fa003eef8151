import type { StripeAccount } from './account.ts';
import {
  declineSession,
  paySession,
  recoverInvoice,
  renewSubscription,
  settleSession,
} from './customer-actions.ts';
import { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import { RESTRICTED_KEY, SECRET_KEY, WEBHOOK_SECRET } from './keys.ts';
import type { CheckoutSession, Price, StripeEvent, Subscription } from './objects.ts';
import type { Invoice, Refund } from './payment-objects.ts';
import { addPrice, PRICES, type PriceName } from './resources/products-and-prices.ts';
import { expireDue } from './resources/checkout-sessions.ts';
import { issueSubscriptionInvoice, payInvoice } from './resources/invoices.ts';
import { refundCharge } from './resources/payments.ts';
import { confirmPortal } from './resources/portal.ts';
import { addSubscription, endSubscription } from './resources/subscriptions.ts';
import { verifyTaxId } from './resources/tax-ids.ts';
import { StripeServer } from './server.ts';
import type { TestSettings } from '../test-settings.ts';

/**
 * A fake of Stripe for tests and demos, which stores objects and sends signed events. It first sends each
 * request to stripe-mock, which refuses requests that Stripe's API does not have. Its methods stand for the
 * actions of people and banks.
 */
export class FakeStripe {
  readonly account: StripeAccount;
  readonly deliveries = new Deliveries(WEBHOOK_SECRET);
  readonly faults: Faults;
  readonly prices: Record<PriceName, Price>;
  readonly secretKey = SECRET_KEY;
  readonly webhookSecret = WEBHOOK_SECRET;

  private constructor(private readonly server: StripeServer) {
    this.account = server.account;
    this.faults = server.faults;
    const added = Object.entries(PRICES).map(([name, setup]) => [name, addPrice(this.account, name, setup)]);
    this.prices = Object.fromEntries(added) as Record<PriceName, Price>;
    this.account.onEvent = (event) => this.deliveries.enqueue(event);
  }

  static async start(): Promise<FakeStripe> {
    return new FakeStripe(await StripeServer.start());
  }

  get url(): string {
    return this.account.url;
  }

  /** Settings of a Parley that sells this account's prices. */
  get env(): TestSettings {
    const plans = Object.entries(this.prices).map(([name, { id }]) => [name, { price_id: id }]);
    return {
      stripeApiUrl: this.url,
      PARLEY_STRIPE_SECRET_KEY: RESTRICTED_KEY,
      PARLEY_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PARLEY_PLANS: JSON.stringify(Object.fromEntries(plans)),
      // Allow a long time, because a busy machine must not look like a payment provider that hangs.
      stripeTimeoutMs: 30000,
    };
  }

  /** Configuration with which Stripe's SDK calls the fake. */
  get sdkConfig(): { host: string; port: string; protocol: 'http' } {
    const { hostname, port } = new URL(this.url);
    return { host: hostname, port, protocol: 'http' };
  }

  get requests() {
    return this.server.requests;
  }

  get events(): StripeEvent[] {
    return this.account.list('event');
  }

  /**
   * Checks that no request to the fake was unknown to Stripe's API or to the fake.
   * @throws Error naming the first unknown request
   */
  requireKnownRequests(): void {
    const [first] = this.server.refusedByApi;
    if (!first) return;
    const { request, response } = first;
    throw new Error(`${request.method} ${request.path} ${request.body}: ${JSON.stringify(response.body)}`);
  }

  /** Sets the clock of the account and expires the Checkout sessions that are due. */
  setTime(time: Date): void {
    this.account.setTime(time);
    expireDue(this.account);
  }

  /** @param isDelayed true for a payment method that takes days: see `settleDelayed` */
  pay(sessionId: string, { isDelayed = false } = {}): CheckoutSession {
    return paySession(this.account, sessionId, isDelayed);
  }

  /** Declines the card. */
  failPayment(sessionId: string): void {
    declineSession(this.account, sessionId);
  }

  settleDelayed(sessionId: string, outcome: 'paid' | 'failed'): void {
    settleSession(this.account, sessionId, outcome === 'paid');
  }

  confirmPortal(sessionId: string): string {
    return confirmPortal(this.account, sessionId);
  }

  /** Creates a subscription without a checkout, as in Stripe's dashboard. */
  subscribe(
    customer: string,
    price: PriceName | Price,
    { metadata = {}, trialDays = 0 }: { metadata?: Record<string, string>; trialDays?: number } = {},
  ): Subscription {
    const subscription = addSubscription(this.account, {
      customer,
      price: typeof price === 'string' ? this.prices[price] : price,
      metadata,
      trialDays,
    });
    payInvoice(this.account, issueSubscriptionInvoice(this.account, subscription, 'subscription_create'));
    return subscription;
  }

  /**
   * Begins the next period of a subscription, which is paid.
   * @returns null if the subscription ends instead
   */
  renew(subscriptionId: string): Invoice | null {
    return renewSubscription(this.account, subscriptionId, true);
  }

  failRenewal(subscriptionId: string): Invoice | null {
    return renewSubscription(this.account, subscriptionId, false);
  }

  recoverInvoice(invoiceId: string): void {
    recoverInvoice(this.account, invoiceId);
  }

  endSubscription(subscriptionId: string): Subscription {
    return endSubscription(this.account, subscriptionId);
  }

  /** Adds a price of another product to the account. */
  addPrice(name: string, amountCents: number): Price {
    return addPrice(this.account, name, { ...PRICES.pro, amountCents });
  }

  /** Marks a subscription unpaid, as Stripe does after all attempts if the account is configured so. */
  leaveUnpaid(subscriptionId: string): void {
    const subscription = this.account.get('subscription', subscriptionId);
    this.account.change(subscription, { status: 'unpaid' }, 'customer.subscription.updated');
  }

  /** @param amountCents the whole remaining amount by default */
  refund(chargeId: string, amountCents?: number): Refund {
    return refundCharge(this.account, this.account.get('charge', chargeId), { amountCents });
  }

  verifyTaxId(taxId: string, status: 'verified' | 'unverified'): void {
    verifyTaxId(this.account, taxId, status);
  }

  async stop(): Promise<void> {
    await this.deliveries.waitUntilSettled();
    await this.server.stop();
  }
}
