import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import { Semaphore } from '../../core/concurrency/semaphore.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { KeyServiceRepository } from '../../repositories/encryption/key-service.repository.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import { computeKeyServiceTransition, NO_FAILURE } from './key-service-transition.ts';
import type { KeyServices } from './key-services.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

export interface KeyCheckResult {
  asked: number;
  failing: number;
  /** Id of the last workspace that was checked, for the next call; null if all were checked. */
  next: string | null;
}

export interface KeyChecksDeps {
  rows: KeyServiceRepository;
  encryption: OrgEncryptionRepository;
  keyServices: KeyServices;
  contentKeys: WorkspaceContentKeys;
  teamNotices: TeamNotices;
  clock: Clock;
  log: Logger;
}

/**
 * Maximum number of workspaces whose key service one run checks. A run must finish in time even if every key
 * service hangs.
 */
const MAX_PER_RUN = 100;
const MAX_CONCURRENT = 10;

/**
 * Calls the key services of all workspaces regularly. Owners thus learn of a key service's failure before
 * content is needed.
 */
export class KeyChecks {
  readonly #deps: KeyChecksDeps;

  constructor(deps: KeyChecksDeps) {
    this.#deps = deps;
  }

  /**
   * Checks the key services of the next workspaces.
   * @param after id of the last workspace that was checked; null to start
   */
  async check(db: Database, after: string | null): Promise<KeyCheckResult> {
    const orgIds = await this.#deps.rows.listOrgIds(db, after, MAX_PER_RUN);
    const semaphore = new Semaphore(MAX_CONCURRENT);
    const outcomes = await Promise.all(
      orgIds.map((orgId) => semaphore.run(() => this.#isFailing({ orgId, db }))),
    );
    return {
      asked: orgIds.length,
      failing: outcomes.filter(Boolean).length,
      next: orgIds.length < MAX_PER_RUN ? null : orgIds.at(-1)!,
    };
  }

  /**
   * Returns true if the workspace's key service fails. An unexpected error is logged and counts as a failure,
   * so that all other checks continue.
   */
  async #isFailing(scope: OrgScope): Promise<boolean> {
    try {
      const failure = await this.#callService(scope);
      await this.#recordResult(scope, failure);
      if (failure === null) await this.#renewCredentials(scope);
      return failure !== null;
    } catch (error) {
      this.#deps.log.error({ err: error, orgId: scope.orgId }, 'cannot check a key service');
      return true;
    }
  }

  async #callService({ orgId }: OrgScope): Promise<KeyServiceError | null> {
    try {
      await this.#deps.contentKeys.unwrapUncached(orgId);
      return null;
    } catch (error) {
      if (error instanceof KeyServiceError) return error;
      throw error;
    }
  }

  async #recordResult(scope: OrgScope, failure: KeyServiceError | null): Promise<void> {
    const { encryption, teamNotices, clock } = this.#deps;
    const recorded = (await encryption.find(scope)) ?? NO_FAILURE;
    if (computeKeyServiceTransition(recorded, failure, clock.now()).next === null) return;
    await inTransaction(scope, async (tx) => {
      const locked = await encryption.lock(tx);
      const { next, change } = computeKeyServiceTransition(locked, failure, clock.now());
      if (next !== null) await encryption.update(tx, next);
      if (change !== null) await teamNotices.mailKeyService(tx, change, failure?.message ?? '');
    });
  }

  /**
   * Renews Parley's credentials for the key service if they can be renewed. If the credentials expire, the
   * next check reports this failure.
   */
  async #renewCredentials(scope: OrgScope): Promise<void> {
    try {
      const service = await this.#deps.keyServices.get(scope);
      await service.renew();
    } catch (error) {
      if (!(error instanceof KeyServiceError)) throw error;
      this.#deps.log.info(
        { orgId: scope.orgId, reason: error.message },
        'key service did not renew its token',
      );
    }
  }
}
