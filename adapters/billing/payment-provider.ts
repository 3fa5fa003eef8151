import type { BillingProfile, TaxIdStatus } from '../../core/billing/billing-profile.ts';

/** Present state of a subscription at the provider. */
export interface ProviderSubscription {
  id: string;
  /** Payment state; `unpaid`: all attempts at a payment have failed. */
  state: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'incomplete' | 'ended';
  priceId: string;
  /** Item of the subscription that has the price. */
  itemId: string;
  periodStart: Date;
  periodEnd: Date;
  /** When it ends or ended; null while it renews. */
  endsAt: Date | null;
  /** Tier that was bought; null for a subscription that was not bought through Parley. */
  tier: string | null;
  orgId: string | null;
}

export interface ProviderCheckout {
  id: string;
  state: 'open' | 'complete' | 'expired';
  url: string | null;
  expiresAt: Date;
  /** pending: by a method that takes days, or that may fail. */
  payment: 'none' | 'pending' | 'paid';
  paymentId: string | null;
}

/** A paid invoice. */
export interface ProviderInvoice {
  id: string;
  number: string;
  issuedAt: Date;
  totalCents: number;
  taxCents: number;
  currency: string;
  description: string;
  addressee: BillingProfile;
  subscriptionId: string | null;
  /** Payments of the invoice. */
  paymentIds: string[];
}

/** An attempt at a payment. */
export interface ProviderCharge {
  paymentId: string;
  /** pending: by a method that takes days. */
  state: 'pending' | 'failed' | 'paid';
  amountCents: number;
  refundedCents: number;
}

/** URLs to which the provider's page redirects the browser. */
export interface ReturnUrls {
  /** URL after a payment or confirmation. */
  returnUrl: string;
  /** URL after a cancellation. */
  leftUrl: string;
}

/** Request for a hosted checkout. Requests with the same key create one checkout. */
export interface NewCheckout extends ReturnUrls {
  key: string;
  customerId: string;
  orgId: string;
  checkoutId: string;
  product: string;
  priceId: string;
  quantity: number;
  isSubscription: boolean;
  expiresAt: Date;
}

export interface PlanChange extends ReturnUrls {
  key: string;
  customerId: string;
  subscription: Pick<ProviderSubscription, 'id' | 'itemId'>;
  priceId: string;
  /** All prices between which subscriptions may change. */
  priceIds: readonly string[];
}

/** Payment provider. Each method but `isSigned` throws ProviderUnavailable and ProviderRefused. */
export interface PaymentProvider {
  /** Whether payments are real; false for a test account. */
  readonly isLive: boolean;
  /** Returns whether the provider signed these bytes within the last minutes. */
  isSigned(payload: Buffer, signature: string, at: Date): boolean;
  getPrice(id: string): Promise<{ amountCents: number; currency: string }>;
  /** Returns whether the customer exists and was not deleted. */
  hasCustomer(id: string): Promise<boolean>;
  /** Returns the customer's id. */
  createCustomer(orgId: string, key: string): Promise<string>;
  /** Returns the present verification status of the tax id. */
  saveProfile(customerId: string, profile: BillingProfile): Promise<TaxIdStatus>;
  getTaxIdStatus(customerId: string): Promise<TaxIdStatus>;
  createCheckout(checkout: NewCheckout): Promise<ProviderCheckout>;
  getCheckout(id: string): Promise<ProviderCheckout>;
  /** Does nothing if the checkout is already paid or expired. */
  expireCheckout(id: string): Promise<void>;
  /** Returns the URL of the page that shows the cost and asks the customer to confirm. */
  createPlanChange(change: PlanChange): Promise<string>;
  getSubscription(id: string): Promise<ProviderSubscription>;
  /** Returns subscriptions, newest first, including ended ones. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>;
  /** Sets whether it ends with the paid period. */
  setEnding(subscriptionId: string, isEnding: boolean, key: string): Promise<void>;
  /** Ends it at once; does nothing if it has ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** Returns paid invoices, newest first. */
  listInvoices(customerId: string): Promise<ProviderInvoice[]>;
  /** Returns charges, newest first. */
  listCharges(customerId: string): Promise<ProviderCharge[]>;
  /** Refunds the part of a payment that was not refunded yet. */
  refund(paymentId: string, key: string): Promise<void>;
  /** Returns the PDF of an invoice. */
  downloadInvoice(invoiceId: string): Promise<Buffer>;
}

/** The provider is unavailable. */
export class ProviderUnavailable extends Error {
  readonly retryAfterMs: number | undefined;
  /** Whether the provider itself responded: it repeats this response to every request with the same key. */
  readonly isAnswered: boolean;

  constructor(
    message: string,
    {
      retryAfterMs,
      isAnswered,
      ...options
    }: ErrorOptions & { retryAfterMs?: number; isAnswered?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'ProviderUnavailable';
    this.retryAfterMs = retryAfterMs;
    this.isAnswered = isAnswered ?? false;
  }
}

/** The provider refused the request. */
export class ProviderRefused extends Error {
  readonly code: string | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options);
    this.name = 'ProviderRefused';
    this.code = code;
  }
}

/** Returns whether further requests need another idempotency key. */
export function needsNewIdempotencyKey(error: unknown): boolean {
  return error instanceof ProviderRefused || (error instanceof ProviderUnavailable && error.isAnswered);
}

/** Returns whether the idempotency key was used for another request, so that this request itself is valid. */
export function isIdempotencyKeyUsed(error: unknown): boolean {
  return error instanceof ProviderRefused && error.code === USED_KEY;
}

export const USED_KEY = 'idempotency_key_used';
