import {
  needsNewIdempotencyKey,
  ProviderRefused,
  type PaymentProvider,
} from '../../adapters/billing/payment-provider.ts';
import { EMPTY_PROFILE, type TaxIdStatus } from '../../core/billing/billing-profile.ts';
import type { Logger } from '../../core/logger.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';

/** A billing account whose payer is a customer at the payment provider. */
export type CustomerAccount = BillingAccount & { customerId: string };

export function isCustomer(account: BillingAccount | null): account is CustomerAccount {
  return account !== null && account.customerId !== null;
}

/** Creates customers at the payment provider, and sends their billing profiles to the provider. */
export class Customers {
  readonly #accounts: BillingAccountRepository;
  readonly #log: Logger;

  constructor({ accounts, log }: { accounts: BillingAccountRepository; log: Logger }) {
    this.#accounts = accounts;
    this.#log = log;
  }

  /**
   * Returns the workspace's billing account; creates its customer at the payment provider if necessary.
   * Concurrent callers create only one customer. A customer that was deleted at the provider is created
   * again.
   * @throws ProviderUnavailable, ProviderRefused
   */
  async ensureCustomer(scope: OrgScope, provider: PaymentProvider): Promise<CustomerAccount> {
    const { orgId, db } = scope;
    const account = await db.transaction((tx) => this.#accounts.lock(tx, orgId));
    const { customerId: before, customerAttempts } = account;
    if (isCustomer(account) && (await provider.hasCustomer(account.customerId))) return account;
    const customerId = await this.#createCustomer(scope, provider, customerAttempts);
    await this.#accounts.setCustomer(scope, customerId, before);
    const created = await this.#accounts.find(db, orgId);
    if (!isCustomer(created)) throw new Error(`The billing account of ${orgId} no longer has a customer.`);
    return created;
  }

  async #createCustomer(scope: OrgScope, provider: PaymentProvider, attempts: number): Promise<string> {
    try {
      return await provider.createCustomer(scope.orgId, `parley/customer/${scope.orgId}/${attempts}`);
    } catch (error) {
      if (needsNewIdempotencyKey(error)) await this.#accounts.countCustomerAttempt(scope, attempts);
      throw error;
    }
  }

  /**
   * Sends a changed billing profile to the payment provider, and stores whether the tax id is valid. If the
   * provider refuses a profile, it is not sent again until it changes.
   * @throws ProviderUnavailable
   */
  async syncProfile(scope: OrgScope, account: CustomerAccount, provider: PaymentProvider): Promise<void> {
    const { profileVersion, pushedProfileVersion, taxIdStatus } = account;
    const isSent = pushedProfileVersion === profileVersion;
    if (isSent && taxIdStatus !== 'pending') return;
    const status = isSent
      ? await provider.getTaxIdStatus(account.customerId)
      : await this.#sendProfile(account, provider);
    let isStored = await this.#accounts.markProfilePushed(scope, profileVersion, status);
    // The billing profile has just changed, and the old profile may have reached the provider last: send the
    // newest.
    while (!isStored) {
      const current = await this.#accounts.find(scope.db, scope.orgId);
      if (!isCustomer(current)) return;
      const pushed = await this.#sendProfile(current, provider);
      isStored = await this.#accounts.markProfilePushed(scope, current.profileVersion, pushed);
    }
  }

  async #sendProfile(
    { orgId, customerId, profile }: CustomerAccount,
    provider: PaymentProvider,
  ): Promise<TaxIdStatus> {
    try {
      return await provider.saveProfile(customerId, { ...EMPTY_PROFILE, ...profile });
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      this.#log.error({ err: error, orgId }, 'payment provider refused a billing profile');
      return 'none';
    }
  }
}
