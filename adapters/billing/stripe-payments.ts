import Stripe from 'stripe';
import type { BillingProfile, TaxIdStatus } from '../../core/billing/billing-profile.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';
import {
  ProviderUnavailable,
  type NewCheckout,
  type PaymentProvider,
  type PlanChange,
  type ProviderCharge,
  type ProviderCheckout,
  type ProviderInvoice,
  type ProviderSubscription,
} from './payment-provider.ts';
import { isRefusedAs, toProviderError } from './stripe-failures.ts';
import { createStripeFetch } from './stripe-fetch.ts';
import {
  toProviderCharge,
  toProviderCheckout,
  toProviderInvoice,
  toProviderSubscription,
  toTaxIdStatus,
} from './stripe-objects.ts';
import { StripePortal } from './stripe-portal.ts';

const RETRIES = 2;
/**
 * Maximum age in seconds of the signature of a webhook from Stripe, as Stripe recommends. Applies to
 * timestamps in the future as well.
 */
const SIGNATURE_TOLERANCE_SECONDS = 300;
const PAGE = 100;
/**
 * Maximum number of pages that are read of one of Stripe's lists. A customer has fewer invoices or charges
 * after many years.
 */
const MAX_PAGES = 20;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

export interface StripeOptions {
  secretKey: string;
  apiUrl: string;
  webhookSecrets: readonly string[];
  /** Stripe's price ids of the plans. They identify the plan's item among the items of a subscription. */
  tierPriceIds: readonly string[];
  timeoutMs: number;
  /** True if Stripe calculates the taxes of a purchase. */
  hasTax: boolean;
  /** HTTP client for the URL of Stripe's API, which the operator configured. */
  trusted: OutboundClient;
  /** HTTP client for URLs that Stripe returns, such as the URL of an invoice's PDF. */
  guarded: OutboundClient;
}

/** Payment provider that uses Stripe. */
export class StripePayments implements PaymentProvider {
  readonly isLive: boolean;
  readonly #stripe: Stripe;
  readonly #portal: StripePortal;
  readonly #options: StripeOptions;

  constructor(options: StripeOptions) {
    const { secretKey, apiUrl, timeoutMs, trusted } = options;
    const { protocol, hostname, port } = new URL(apiUrl);
    this.#options = options;
    this.isLive = /^[a-z]+_live_/.test(secretKey);
    this.#stripe = new Stripe(secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port !== '' && { port }),
      httpClient: Stripe.createFetchHttpClient(createStripeFetch(trusted, timeoutMs)),
      timeout: timeoutMs,
      maxNetworkRetries: RETRIES,
      telemetry: false,
    });
    this.#portal = new StripePortal(this.#stripe);
  }

  isSigned(payload: Buffer, signature: string, at: Date): boolean {
    if (isDatedAhead(signature, at)) return false;
    return this.#options.webhookSecrets.some((secret) => {
      try {
        const { signature: signatures } = this.#stripe.webhooks;
        return Boolean(
          signatures?.verifyHeader(
            payload,
            signature,
            secret,
            SIGNATURE_TOLERANCE_SECONDS,
            undefined,
            at.getTime(),
          ),
        );
      } catch {
        // Any error means that the webhook's signature is invalid: Stripe's SDK has several error classes for
        // it.
        return false;
      }
    });
  }

  getPrice(id: string): Promise<{ amountCents: number; currency: string }> {
    return callStripe(async () => {
      const { unit_amount: amountCents, currency } = await this.#stripe.prices.retrieve(id);
      return { amountCents: amountCents ?? 0, currency };
    });
  }

  async hasCustomer(id: string): Promise<boolean> {
    try {
      return !(await callStripe(() => this.#stripe.customers.retrieve(id))).deleted;
    } catch (error) {
      if (isRefusedAs(error, 'resource_missing')) return false;
      throw error;
    }
  }

  async createCustomer(orgId: string, key: string): Promise<string> {
    const createStripeCustomer = () =>
      this.#stripe.customers.create({ metadata: { org_id: orgId } }, { idempotencyKey: key });
    return (await callStripe(createStripeCustomer)).id;
  }

  saveProfile(customerId: string, profile: BillingProfile): Promise<TaxIdStatus> {
    return callStripe(async () => {
      await this.#stripe.customers.update(customerId, {
        name: profile.legal_name,
        email: profile.billing_email,
        address: {
          line1: profile.address_line1,
          line2: profile.address_line2,
          city: profile.city,
          country: profile.country_code,
          postal_code: profile.postal_code,
          state: profile.state_code,
        },
      });
      return this.#saveTaxId(customerId, { type: profile.tax_id_type, value: profile.tax_id });
    });
  }

  getTaxIdStatus(customerId: string): Promise<TaxIdStatus> {
    return callStripe(async () => toTaxIdStatus((await this.#listTaxIds(customerId))[0]));
  }

  createCheckout(checkout: NewCheckout): Promise<ProviderCheckout> {
    const { hasTax } = this.#options;
    const { key, customerId, orgId, checkoutId, priceId, quantity, product, returnUrl, cancelUrl } = checkout;
    const metadata = { org_id: orgId, checkout_id: checkoutId, tier: product };
    return callStripe(async () =>
      toProviderCheckout(
        await this.#stripe.checkout.sessions.create(
          {
            customer: customerId,
            client_reference_id: orgId,
            metadata,
            line_items: [{ price: priceId, quantity }],
            expires_at: Math.floor(checkout.expiresAt.getTime() / 1000),
            success_url: returnUrl,
            cancel_url: cancelUrl,
            ...(checkout.isSubscription
              ? { mode: 'subscription', subscription_data: { metadata } }
              : {
                  mode: 'payment',
                  payment_intent_data: { metadata },
                  invoice_creation: { enabled: true },
                }),
            ...(hasTax && { automatic_tax: { enabled: true }, customer_update: { address: 'auto' } }),
          },
          { idempotencyKey: key },
        ),
      ),
    );
  }

  getCheckout(id: string): Promise<ProviderCheckout> {
    return callStripe(async () => toProviderCheckout(await this.#stripe.checkout.sessions.retrieve(id)));
  }

  async expireCheckout(id: string): Promise<void> {
    try {
      await callStripe(() => this.#stripe.checkout.sessions.expire(id));
    } catch (error) {
      if ((await this.getCheckout(id)).state === 'open') throw error;
    }
  }

  createPlanChange(change: PlanChange): Promise<string> {
    return callStripe(() => this.#portal.open(change));
  }

  getSubscription(id: string): Promise<ProviderSubscription> {
    return callStripe(async () => this.#toSubscription(await this.#stripe.subscriptions.retrieve(id)));
  }

  listSubscriptions(customer: string): Promise<ProviderSubscription[]> {
    return callStripe(async () =>
      (
        await listAllPages((page) => this.#stripe.subscriptions.list({ customer, status: 'all', ...page }))
      ).map((each) => this.#toSubscription(each)),
    );
  }

  #toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
    return toProviderSubscription(subscription, this.#options.tierPriceIds);
  }

  async setCancelAtPeriodEnd(subscriptionId: string, isEnding: boolean, key: string): Promise<void> {
    await callStripe(async () => {
      const { subscriptions } = this.#stripe;
      const current = await subscriptions.retrieve(subscriptionId);
      // Undo the cancellation of the subscription by clearing `cancel_at` if it has a date, and
      // `cancel_at_period_end` if not.
      const isDated = !isEnding && current.cancel_at !== null && !current.cancel_at_period_end;
      const change = isDated ? { cancel_at: '' as const } : { cancel_at_period_end: isEnding };
      await subscriptions.update(subscriptionId, change, { idempotencyKey: key });
    });
  }

  async endSubscription(subscriptionId: string): Promise<void> {
    try {
      await callStripe(() => this.#stripe.subscriptions.cancel(subscriptionId));
    } catch (error) {
      if (!isRefusedAs(error, 'resource_missing')) throw error;
    }
  }

  listInvoices(customer: string): Promise<ProviderInvoice[]> {
    return callStripe(async () =>
      (
        await listAllPages((page) =>
          this.#stripe.invoices.list({ customer, status: 'paid', expand: ['data.payments'], ...page }),
        )
      ).map(toProviderInvoice),
    );
  }

  listCharges(customer: string): Promise<ProviderCharge[]> {
    return callStripe(async () =>
      (await listAllPages((page) => this.#stripe.charges.list({ customer, ...page }))).flatMap(
        (charge) => toProviderCharge(charge) ?? [],
      ),
    );
  }

  async refund(paymentId: string, key: string): Promise<void> {
    const refund = { payment_intent: paymentId, reason: 'duplicate' } as const;
    try {
      await callStripe(() => this.#stripe.refunds.create(refund, { idempotencyKey: key }));
    } catch (error) {
      if (!isRefusedAs(error, 'charge_already_refunded')) throw error;
    }
  }

  async downloadInvoice(invoiceId: string): Promise<Buffer> {
    const { invoice_pdf: url } = await callStripe(() => this.#stripe.invoices.retrieve(invoiceId));
    if (!url) throw new ProviderUnavailable('Stripe has not created the PDF file for this invoice yet.');
    const { trusted, guarded, apiUrl, timeoutMs } = this.#options;
    const client = new URL(url).origin === new URL(apiUrl).origin ? trusted : guarded;
    try {
      const { status, body } = await client.request({ url, timeoutMs, maxBytes: MAX_FILE_BYTES });
      if (status === 200 && body.subarray(0, 5).toString('latin1') === '%PDF-') return body;
      throw new ProviderUnavailable(
        `Stripe cannot return the PDF file of this invoice at the moment (status ${status}).`,
      );
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new ProviderUnavailable(error.message, { cause: error });
    }
  }

  /** Makes `desired` the only tax id of the customer at Stripe; an empty value removes all tax ids. */
  async #saveTaxId(customerId: string, desired: { type: string; value: string }): Promise<TaxIdStatus> {
    const taxIds = await this.#listTaxIds(customerId);
    const isDesired = ({ type, value }: Stripe.TaxId) => type === desired.type && value === desired.value;
    for (const each of taxIds.filter((taxId) => !isDesired(taxId)))
      await this.#stripe.customers.deleteTaxId(customerId, each.id);
    const existing = taxIds.find(isDesired);
    if (existing || desired.value === '') return toTaxIdStatus(existing);
    try {
      return toTaxIdStatus(await this.#stripe.customers.createTaxId(customerId, desired));
    } catch (error) {
      if (isRefusedAs(toProviderError(error), 'tax_id_invalid')) return 'rejected';
      throw error;
    }
  }

  async #listTaxIds(customerId: string): Promise<Stripe.TaxId[]> {
    return (await this.#stripe.customers.listTaxIds(customerId, { limit: PAGE })).data;
  }
}

/**
 * Returns the rows of all pages of one of Stripe's lists. Limits the pages, since each may have any number of
 * rows. A page without rows is the last page.
 */
async function listAllPages<T extends { id: string }>(
  fetchPage: (page: { limit: number; starting_after?: string }) => Promise<Stripe.ApiList<T>>,
): Promise<T[]> {
  let rows: T[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await fetchPage({ limit: PAGE, ...(after !== undefined && { starting_after: after }) });
    rows = rows.concat(page.data);
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) break;
  }
  return rows;
}

async function callStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toProviderError(error);
  }
}

/**
 * Returns whether the signature of a webhook from Stripe has a timestamp in the future. Stripe's library
 * accepts such timestamps, so an attacker could replay the webhook for longer. Parses timestamps exactly as
 * that library does.
 */
function isDatedAhead(signature: string, at: Date): boolean {
  const latest = at.getTime() / 1000 + SIGNATURE_TOLERANCE_SECONDS;
  return signature
    .split(',')
    .map((item) => item.split('='))
    .some(([name, value = '']) => name === 't' && parseInt(value, 10) > latest);
}
