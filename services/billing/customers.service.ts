import type { PaymentProvider } from '../../adapters/billing/payment-provider.ts';
import { EMPTY_PROFILE } from '../../core/billing/billing-profile.ts';
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

  constructor(accounts: BillingAccountRepository) {
    this.#accounts = accounts;
  }

  /** One for each payer, whoever asks at once. @throws ProviderUnavailable, ProviderRefused */
  async make(scope: OrgScope, provider: PaymentProvider): Promise<CustomerAccount> {
    const { orgId, db } = scope;
    const account = await db.transaction((tx) => this.#accounts.lock(tx, orgId));
    if (isCustomer(account)) return account;
    const customerId = await provider.createCustomer(orgId, `parley/customer/${orgId}`);
    await this.#accounts.setCustomer(scope, customerId);
    const made = await this.#accounts.find(db, orgId);
    if (!isCustomer(made)) throw new Error(`The account of ${orgId} has lost its customer.`);
    return made;
  }

  /**
   * Gives the provider the profile, unless it has it, and takes over what it has found out about the tax id.
   * @throws ProviderUnavailable, ProviderRefused
   */
  async followProfile(scope: OrgScope, account: CustomerAccount, provider: PaymentProvider): Promise<void> {
    const { profile, profileVersion, pushedProfileVersion, customerId, taxIdStatus } = account;
    const isPushed = pushedProfileVersion === profileVersion;
    if (isPushed && taxIdStatus !== 'pending') return;
    const status = isPushed
      ? await provider.getTaxIdStatus(customerId)
      : await provider.saveProfile(customerId, { ...EMPTY_PROFILE, ...profile });
    await this.#accounts.setPushed(scope, profileVersion, status);
  }
}
