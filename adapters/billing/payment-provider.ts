import type { BillingProfile, TaxIdStatus } from '../../core/billing/billing-profile.ts';

/** Present state of a subscription at the provider. */
export interface ProviderSubscription {
  id: string;
  /** Whether it is being paid for; `unpaid`: all attempts at a payment have failed. */
  state: 'trialing' | 'active' | 'past_due' | 'unpaid' | 'incomplete' | 'ended';
  priceId: string;
  /** Item of the subscription that has the price. */
  itemId: string;
  periodStart: Date;
  periodEnd: Date;
  /** When it ends, or has ended; null while it is renewed. */
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
  /** pending: by a method that takes days, or in vain. */
  payment: 'none' | 'pending' | 'paid';
  paymentId: string | null;
}

/** An invoice that is paid. */
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

/** Addresses to which the provider's page sends the browser back. */
export interface WaysBack {
  /** Address after a payment or confirmation. */
  returnUrl: string;
  /** Address after a cancellation. */
  leftUrl: string;
}

/** Request for a hosted checkout. Requests with the same key create one checkout. */
export interface NewCheckout extends WaysBack {
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

export interface PlanChange extends WaysBack {
  key: string;
  customerId: string;
  subscription: Pick<ProviderSubscription, 'id' | 'itemId'>;
  priceId: string;
  /** All prices that subscriptions may change between. */
  priceIds: readonly string[];
}

/** Payment provider. Each method but `isSigned` throws ProviderUnavailable and ProviderRefused. */
export interface PaymentProvider {
  /** Whether money moves; false for a test account. */
  readonly isLive: boolean;
  /** Whether the provider has signed these bytes within the last minutes. */
  isSigned(payload: Buffer, signature: string, at: Date): boolean;
  getPrice(id: string): Promise<{ amountCents: number; currency: string }>;
  /** Whether there is such a customer, who was not deleted. */
  hasCustomer(id: string): Promise<boolean>;
  /** Returns its id. */
  createCustomer(orgId: string, key: string): Promise<string>;
  /** Returns what the provider says of the tax id so far. */
  saveProfile(customerId: string, profile: BillingProfile): Promise<TaxIdStatus>;
  getTaxIdStatus(customerId: string): Promise<TaxIdStatus>;
  createCheckout(checkout: NewCheckout): Promise<ProviderCheckout>;
  getCheckout(id: string): Promise<ProviderCheckout>;
  /** Does nothing where it is paid or expired already. */
  expireCheckout(id: string): Promise<void>;
  /** Returns the address of the page that shows the cost and asks the customer to confirm. */
  createPlanChange(change: PlanChange): Promise<string>;
  getSubscription(id: string): Promise<ProviderSubscription>;
  /** The newest first, those that have ended among them. */
  listSubscriptions(customerId: string): Promise<ProviderSubscription[]>;
  /** Whether it ends with the paid period. */
  setEnding(subscriptionId: string, isEnding: boolean, key: string): Promise<void>;
  /** Ends it at once; does nothing where it has ended. */
  endSubscription(subscriptionId: string): Promise<void>;
  /** The newest first. */
  listInvoices(customerId: string): Promise<ProviderInvoice[]>;
  /** The newest first. */
  listCharges(customerId: string): Promise<ProviderCharge[]>;
  /** Gives all of it back that was not given back yet. */
  refund(paymentId: string, key: string): Promise<void>;
  /** The file of an invoice. */
  downloadInvoice(invoiceId: string): Promise<Buffer>;
}

/** The provider cannot be asked now. */
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

/** The provider does not do what it was asked for. */
export class ProviderRefused extends Error {
  readonly code: string | undefined;

  constructor(message: string, { code, ...options }: ErrorOptions & { code?: string | undefined } = {}) {
    super(message, options);
    this.name = 'ProviderRefused';
    this.code = code;
  }
}

/** Whether the request has to be made by another key from now on. */
export function isOverForKey(error: unknown): boolean {
  return error instanceof ProviderRefused || (error instanceof ProviderUnavailable && error.isAnswered);
}

/** Whether the provider has had another request by this key: nothing is wrong with this one. */
export function isOfUsedKey(error: unknown): boolean {
  return error instanceof ProviderRefused && error.code === USED_KEY;
}

export const USED_KEY = 'idempotency_key_used';
