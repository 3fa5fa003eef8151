import type { BillingProfile, TaxIdStatus } from '../../core/billing/billing-profile.ts';

/** A customer's subscription, as the payment provider reports it. */
export interface ProviderSubscription {
  id: string;
  /** Payment state of the subscription. `unpaid` means that all attempts at a payment have failed. */
  state: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'incomplete' | 'ended';
  priceId: string;
  /** Id of the subscription's item that has the price `priceId`. */
  itemId: string;
  periodStart: Date;
  periodEnd: Date;
  /** Time at which the subscription ends or ended; null while it renews at the end of each period. */
  endsAt: Date | null;
  /** Tier (plan) that the customer bought; null for a subscription that was not bought through Parley. */
  tier: string | null;
  orgId: string | null;
}

export interface ProviderCheckout {
  id: string;
  state: 'open' | 'complete' | 'expired';
  url: string | null;
  expiresAt: Date;
  /**
   * Payment state of the checkout. `pending` means that the customer pays by a method that takes days and may
   * still fail.
   */
  payment: 'none' | 'pending' | 'paid';
  paymentId: string | null;
}

/** A paid invoice of a customer, as the payment provider reports it. */
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
  paymentIds: string[];
}

/** An attempt of the payment provider to charge a customer for a payment. */
export interface ProviderCharge {
  paymentId: string;
  /** State of the charge. `pending` means that the customer pays by a method that takes days. */
  state: 'pending' | 'failed' | 'paid';
  amountCents: number;
  refundedCents: number;
}

/** URLs to which the provider's hosted page sends the browser back. */
export interface ReturnUrls {
  /** URL for the browser after the customer has paid or confirmed. */
  returnUrl: string;
  /** URL for the browser after the customer has canceled. */
  cancelUrl: string;
}

/**
 * Request to create a checkout page hosted by the payment provider. Repeated requests with the same `key`
 * create only one checkout.
 */
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
  /** Price ids of all plans between which customers may switch. */
  priceIds: readonly string[];
}

/**
 * Interface of a payment provider. All methods except `isSigned` may throw ProviderUnavailable or
 * ProviderRefused.
 */
export interface PaymentProvider {
  /** True if the provider's payments are real; false for a test account. */
  readonly isLive: boolean;
  /** Returns whether the provider signed this webhook payload within the last few minutes. */
  isSigned(payload: Buffer, signature: string, at: Date): boolean;
  getPrice(id: string): Promise<{ amountCents: number; currency: string }>;
  /** Returns whether the customer exists at the provider and is not deleted. */
  hasCustomer(id: string): Promise<boolean>;
  /** Creates a customer at the provider for a workspace, and returns the customer's id. */
  createCustomer(orgId: string, key: string): Promise<string>;
  /**
   * Saves name, address and tax id of a customer at the provider. Returns the current verification status of
   * the tax id.
   */
  saveProfile(customerId: string, profile: BillingProfile): Promise<TaxIdStatus>;
  getTaxIdStatus(customerId: string): Promise<TaxIdStatus>;
  createCheckout(checkout: NewCheckout): Promise<ProviderCheckout>;
  getCheckout(id: string): Promise<ProviderCheckout>;
  /** Makes the provider's checkout page expire. Does nothing if the checkout is already paid or expired. */
  expireCheckout(id: string): Promise<void>;
  /**
   * Returns the URL of a page, hosted by the provider, that shows the cost of a plan change and asks the
   * customer to confirm.
   */
  createPlanChange(change: PlanChange): Promise<string>;
  getSubscription(id: string): Promise<ProviderSubscription>;
  /** Lists a customer's subscriptions, newest first, including ended subscriptions. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>;
  /** Sets whether a subscription ends after the paid period instead of renewing. */
  setCancelAtPeriodEnd(subscriptionId: string, isEnding: boolean, key: string): Promise<void>;
  /** Ends a subscription immediately. Does nothing if it has already ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** Lists a customer's paid invoices, newest first. */
  listInvoices(customerId: string): Promise<ProviderInvoice[]>;
  /** Lists the provider's attempts to charge a customer, newest first. */
  listCharges(customerId: string): Promise<ProviderCharge[]>;
  /** Refunds the part of a customer's payment that was not refunded yet. */
  refund(paymentId: string, key: string): Promise<void>;
  /** Returns an invoice as a PDF file. */
  downloadInvoice(invoiceId: string): Promise<Buffer>;
}

/** Thrown if the payment provider cannot handle the request now. The same request may succeed later. */
export class ProviderUnavailable extends Error {
  readonly retryAfterMs: number | undefined;
  /**
   * True if the payment provider itself returned the failure. The provider then repeats this response for the
   * same idempotency key.
   */
  readonly isFromProvider: boolean;

  constructor(
    message: string,
    {
      retryAfterMs,
      isFromProvider,
      ...options
    }: ErrorOptions & { retryAfterMs?: number; isFromProvider?: boolean } = {},
  ) {
    super(message, options);
    this.name = 'ProviderUnavailable';
    this.retryAfterMs = retryAfterMs;
    this.isFromProvider = isFromProvider ?? false;
  }
}

/** Thrown if the payment provider refused the request; `code` is the provider's error code. */
export class ProviderRefused extends Error {
  readonly code: string | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options);
    this.name = 'ProviderRefused';
    this.code = code;
  }
}

/** Returns whether a retry of a failed request to the payment provider needs a new idempotency key. */
export function needsNewIdempotencyKey(error: unknown): boolean {
  return error instanceof ProviderRefused || (error instanceof ProviderUnavailable && error.isFromProvider);
}

/**
 * Returns whether the payment provider refused a request only because its idempotency key belongs to an
 * earlier, different request.
 */
export function isIdempotencyKeyUsed(error: unknown): boolean {
  return error instanceof ProviderRefused && error.code === USED_KEY;
}

export const USED_KEY = 'idempotency_key_used';
