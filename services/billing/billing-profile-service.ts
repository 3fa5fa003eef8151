import {
  EMPTY_PROFILE,
  listProfileErrors,
  normalizeProfile,
  type BillingProfile,
  type TaxIdStatus,
} from '../../core/billing/billing-profile.ts';
import type { Plans } from '../../core/billing/plans.ts';
import { validationError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { BillingAccountRepository } from '../../repositories/billing/billing-account.repository.ts';
import type { PayerRepository } from '../../repositories/billing/payer.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { createBillingSyncCommand } from './billing-commands.ts';
import { requirePayer } from './checkouts/require-payer.ts';

export interface SavedProfile {
  profile: BillingProfile;
  taxIdStatus: TaxIdStatus;
  /** Time at which the billing profile was last saved; null if it was never saved. */
  savedAt: Date | null;
}

export interface BillingProfileServiceDeps {
  plans: Plans;
  payers: PayerRepository;
  accounts: BillingAccountRepository;
  outbox: OutboxService;
}

/** Reads and saves billing profiles of workspaces: the names, addresses and tax ids on receipts. */
export class BillingProfileService {
  readonly #deps: BillingProfileServiceDeps;

  constructor(deps: BillingProfileServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the billing profile of a workspace. It is empty if none was saved, or if another workspace pays
   * for this workspace.
   */
  async get({ db, orgId }: OrgScope): Promise<SavedProfile> {
    const account = await this.#deps.accounts.find(db, orgId);
    return {
      profile: { ...EMPTY_PROFILE, ...account?.profile },
      taxIdStatus: account?.taxIdStatus ?? 'none',
      savedAt: account?.profileSavedAt ?? null,
    };
  }

  /**
   * Replaces the whole billing profile. Returns the saved profile and the previous email address for
   * invoices.
   * @throws AppError `validation_error`; `conflict` if another workspace pays for this workspace
   */
  async save(
    scope: OrgScope,
    input: Partial<BillingProfile>,
  ): Promise<{ saved: SavedProfile; previousEmail: string }> {
    const { plans, payers, accounts, outbox } = this.#deps;
    const profile = normalizeProfile(input);
    const faults = listProfileErrors(profile);
    if (faults.length > 0) throw validationError(faults);
    await requirePayer(scope, payers);
    const { customerId, profile: previous } = await accounts.lock(scope.db, scope.orgId);
    // The payment provider verifies tax ids only for its own customers.
    const isKnown = plans.isEnforced && customerId !== null;
    const taxIdStatus = isKnown && profile.tax_id !== '' ? 'pending' : 'none';
    await accounts.saveProfile(scope, { profile, taxIdStatus });
    if (isKnown) await outbox.command(scope, createBillingSyncCommand(scope.orgId, 'profile'));
    return { saved: await this.get(scope), previousEmail: previous.billing_email ?? '' };
  }
}
