import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import { Gate } from '../../core/concurrency/gate.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { KeyServiceRepository } from '../../repositories/encryption/key-service.repository.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { TeamNotices } from '../mail/notices/team-notices.ts';
import { judgeKeyAnswer, NO_FAILURE } from './judge-key-answer.ts';
import type { KeyServices } from './key-services.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

export interface CheckedKeyServices {
  asked: number;
  failing: number;
  /** After which workspace the next ones are; null after the last. */
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

/** Few enough that an attempt ends in time though all of them hang. */
const MOST_AT_ONCE = 100;
const SIDE_BY_SIDE = 10;

/** Asks key services, whether anybody needs them or not, so that owners hear in time of one that fails. */
export class KeyChecks {
  readonly #deps: KeyChecksDeps;

  constructor(deps: KeyChecksDeps) {
    this.#deps = deps;
  }

  /** @param after null for the first ones */
  async check(db: Database, after: string | null): Promise<CheckedKeyServices> {
    const orgIds = await this.#deps.rows.listOrgIds(db, after, MOST_AT_ONCE);
    const gate = new Gate(SIDE_BY_SIDE);
    const outcomes = await Promise.all(orgIds.map((orgId) => gate.run(() => this.#isFailing({ orgId, db }))));
    return {
      asked: orgIds.length,
      failing: outcomes.filter(Boolean).length,
      next: orgIds.length < MOST_AT_ONCE ? null : orgIds.at(-1)!,
    };
  }

  /** One that fails in another way keeps nobody else from being asked for; the next check comes in any case. */
  async #isFailing(scope: OrgScope): Promise<boolean> {
    try {
      const failure = await this.#ask(scope);
      await this.#note(scope, failure);
      if (failure === null) await this.#renew(scope);
      return failure !== null;
    } catch (error) {
      this.#deps.log.error({ err: error, orgId: scope.orgId }, 'a key service could not be asked');
      return true;
    }
  }

  async #ask({ orgId }: OrgScope): Promise<KeyServiceError | null> {
    try {
      await this.#deps.contentKeys.ask(orgId);
      return null;
    } catch (error) {
      if (error instanceof KeyServiceError) return error;
      throw error;
    }
  }

  async #note(given: OrgScope, failure: KeyServiceError | null): Promise<void> {
    const { encryption, teamNotices, clock } = this.#deps;
    const known = (await encryption.find(given)) ?? NO_FAILURE;
    if (judgeKeyAnswer(known, failure, clock.now()).next === null) return;
    await inTransaction(given, async (tx) => {
      const present = await encryption.lock(tx);
      const { next, news } = judgeKeyAnswer(present, failure, clock.now());
      if (next !== null) await encryption.update(tx, next);
      if (news !== null) await teamNotices.keyService(tx, news, failure?.message ?? '');
    });
  }

  /** Some credentials cannot be renewed, and some need not be; those that have run out are refused at the next check. */
  async #renew(scope: OrgScope): Promise<void> {
    try {
      const service = await this.#deps.keyServices.get(scope);
      await service.renew();
    } catch (error) {
      if (!(error instanceof KeyServiceError)) throw error;
      this.#deps.log.info(
        { orgId: scope.orgId, reason: error.message },
        'a key service has not renewed a token',
      );
    }
  }
}
