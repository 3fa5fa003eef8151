import type { StripeAccount } from './account.ts';
import { declineSession, paySession, recoverInvoice, renewSubscription, settleSession } from './acts.ts';
import { Deliveries } from './deliveries.ts';
import type { Faults } from './faults.ts';
import { RESTRICTED_KEY, SECRET_KEY, WEBHOOK_SECRET } from './keys.ts';
import type { CheckoutSession, Price, StripeEvent, Subscription } from './objects.ts';
import type { Invoice, Refund } from './payment-objects.ts';
import { addPrice, PRICES, type PriceName } from './resources/catalogue.ts';
import { expireDue } from './resources/checkout-sessions.ts';
import { issueSubscriptionInvoice, payInvoice } from './resources/invoices.ts';
import { refundCharge } from './resources/payments.ts';
import { confirmPortal } from './resources/portal.ts';
import { addSubscription, endSubscription } from './resources/subscriptions.ts';
import { verifyTaxId } from './resources/tax-ids.ts';
import { StripeServer } from './server.ts';
import type { TestSettings } from '../test-settings.ts';

/**
 * Stripe for tests and demos: it keeps what is made, and tells of it by signed events. Each request is first shown to
 * stripe-mock, so that what Stripe's API does not have is refused. Its acts are what people and banks do.
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
    this.account.onEvent = (event) => this.deliveries.take(event);
  }

  static async start(): Promise<FakeStripe> {
    return new FakeStripe(await StripeServer.start());
  }

  get url(): string {
    return this.account.url;
  }

  /** Settings of a Parley that sells what is sold here. */
  get env(): TestSettings {
    const plans = Object.entries(this.prices).map(([name, { id }]) => [name, { price_id: id }]);
    return {
      stripeApiUrl: this.url,
      PARLEY_STRIPE_SECRET_KEY: RESTRICTED_KEY,
      PARLEY_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      PARLEY_PLANS: JSON.stringify(Object.fromEntries(plans)),
      // A machine that does much else is no provider that hangs.
      stripeTimeoutMs: 30000,
    };
  }

  /** Where the SDK is to look for Stripe. */
  get sdkConfig(): { host: string; port: string; protocol: 'http' } {
    const { hostname, port } = new URL(this.url);
    return { host: hostname, port, protocol: 'http' };
  }

  get requests() {
    return this.server.requests;
  }

  get events(): StripeEvent[] {
    return this.account.all('event');
  }

  /** Once no request has come that Stripe's API, or the fake, does not know. @throws Error naming the first of them */
  requireKnownRequests(): void {
    const [first] = this.server.refusedByApi;
    if (!first) return;
    const { request, response } = first;
    throw new Error(`${request.method} ${request.path} ${request.body}: ${JSON.stringify(response.body)}`);
  }

  /** What is due by then happens. */
  setTime(time: Date): void {
    this.account.setTime(time);
    expireDue(this.account);
  }

  /** @param isDelayed by a method that takes days: see `settleDelayed` */
  pay(sessionId: string, { isDelayed = false } = {}): CheckoutSession {
    return paySession(this.account, sessionId, isDelayed);
  }

  /** The card is declined. */
  failPayment(sessionId: string): void {
    declineSession(this.account, sessionId);
  }

  settleDelayed(sessionId: string, outcome: 'paid' | 'failed'): void {
    settleSession(this.account, sessionId, outcome === 'paid');
  }

  confirmPortal(sessionId: string): string {
    return confirmPortal(this.account, sessionId);
  }

  /** One that was made without a checkout, as in Stripe's dashboard. */
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

  /** The next period, paid; null where the subscription has ended instead. */
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

  /** A price of something else that the account sells. */
  addPrice(name: string, amountCents: number): Price {
    return addPrice(this.account, name, { ...PRICES.pro, amountCents });
  }

  /** After all tries at payment, where the account is set so. */
  leaveUnpaid(subscriptionId: string): void {
    const subscription = this.account.get('subscription', subscriptionId);
    this.account.change(subscription, { status: 'unpaid' }, 'customer.subscription.updated');
  }

  /** @param amountCents all that is left where it is absent */
  refund(chargeId: string, amountCents?: number): Refund {
    return refundCharge(this.account, this.account.get('charge', chargeId), { amountCents });
  }

  verifyTaxId(taxId: string, status: 'verified' | 'unverified'): void {
    verifyTaxId(this.account, taxId, status);
  }

  async stop(): Promise<void> {
    await this.deliveries.settled();
    await this.server.stop();
  }
}
