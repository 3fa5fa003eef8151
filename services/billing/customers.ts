import {
  isOverForKey,
  ProviderRefused,
  type PaymentProvider,
} from '../../adapters/billing/payment-provider.ts';
import { EMPTY_PROFILE, type TaxIdStatus } from '../../core/billing/billing-profile.ts';
import type { Logger } from '../../core/logger.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { BillingAccount } from '../../entities/billing/billing-account.entity.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';

/** An account whose payer the provider knows. */
export type CustomerAccount = BillingAccount & { customerId: string };

export function isCustomer(account: BillingAccount | null): account is CustomerAccount {
  return account !== null && account.customerId !== null;
}

/** Payers as the provider knows them. */
export class Customers {
  readonly #accounts: BillingAccountRepository;
  readonly #log: Logger;

  constructor({ accounts, log }: { accounts: BillingAccountRepository; log: Logger }) {
    this.#accounts = accounts;
    this.#log = log;
  }

  /** One for each payer, whoever asks at once; another where it was deleted at the provider. @throws ProviderUnavailable, ProviderRefused */
  async make(scope: OrgScope, provider: PaymentProvider): Promise<CustomerAccount> {
    const { orgId, db } = scope;
    const account = await db.transaction((tx) => this.#accounts.lock(tx, orgId));
    const { customerId: before, customerAttempts } = account;
    if (isCustomer(account) && (await provider.hasCustomer(account.customerId))) return account;
    const customerId = await this.#create(scope, provider, customerAttempts);
    await this.#accounts.setCustomer(scope, customerId, before);
    const made = await this.#accounts.find(db, orgId);
    if (!isCustomer(made)) throw new Error(`The account of ${orgId} has lost its customer.`);
    return made;
  }

  async #create(scope: OrgScope, provider: PaymentProvider, attempts: number): Promise<string> {
    try {
      return await provider.createCustomer(scope.orgId, `parley/customer/${scope.orgId}/${attempts}`);
    } catch (error) {
      if (isOverForKey(error)) await this.#accounts.countCustomerAttempt(scope, attempts);
      throw error;
    }
  }

  /**
   * Gives the provider the profile, unless it has it, and takes over what it has found out about the tax id. One that it
   * refuses is left alone until another is saved.
   * @throws ProviderUnavailable
   */
  async followProfile(scope: OrgScope, account: CustomerAccount, provider: PaymentProvider): Promise<void> {
    const { profileVersion, pushedProfileVersion, taxIdStatus } = account;
    const isPushed = pushedProfileVersion === profileVersion;
    if (isPushed && taxIdStatus !== 'pending') return;
    const status = isPushed
      ? await provider.getTaxIdStatus(account.customerId)
      : await this.#push(account, provider);
    let isNoted = await this.#accounts.setPushed(scope, profileVersion, status);
    // What was pushed just now may have replaced a newer one.
    while (!isNoted) {
      const present = await this.#accounts.find(scope.db, scope.orgId);
      if (!isCustomer(present)) return;
      const pushed = await this.#push(present, provider);
      isNoted = await this.#accounts.setPushed(scope, present.profileVersion, pushed);
    }
  }

  async #push(
    { orgId, customerId, profile }: CustomerAccount,
    provider: PaymentProvider,
  ): Promise<TaxIdStatus> {
    try {
      return await provider.saveProfile(customerId, { ...EMPTY_PROFILE, ...profile });
    } catch (error) {
      if (!(error instanceof ProviderRefused)) throw error;
      this.#log.error({ err: error, orgId }, 'the payment provider refuses a billing profile');
      return 'none';
    }
  }
}
