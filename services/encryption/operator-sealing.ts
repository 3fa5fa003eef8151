import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { beginReseal, resumeReseal } from './begin-reseal.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

export interface StartedReseals {
  begun: number;
  /** Number of workspaces whose content still waits to be converted. */
  left: number;
}

export interface OperatorSealingDeps {
  encryption: OrgEncryptionRepository;
  contentKeys: Pick<WorkspaceContentKeys, 'getCurrentKey'>;
  outbox: OutboxService;
  log: Logger;
  sealsContent: boolean;
}

/**
 * Maximum number of workspaces whose content is converted at the same time. It limits the load on the
 * database, so that answers to visitors are hardly delayed.
 */
const MAX_CONCURRENT_RESEALS = 20;

/**
 * Time in minutes after a conversion. If old row versions remain for longer, the workflow that removes them
 * was probably lost. Starting the workflow again does not affect a running workflow.
 */
const LOST_AFTER_MINUTES = 10;

/**
 * Converts the content of workspaces without their own key when the operator changes the configuration. Their
 * content is then encrypted under the master key, or stored unencrypted.
 */
export class OperatorSealing {
  readonly #deps: OperatorSealingDeps;

  constructor(deps: OperatorSealingDeps) {
    this.#deps = deps;
  }

  /** Starts the conversion of waiting workspaces' content, up to the limit of concurrent conversions. */
  async beginReseals(db: Database): Promise<StartedReseals> {
    const { encryption, sealsContent } = this.#deps;
    const free = MAX_CONCURRENT_RESEALS - (await encryption.countSealing(db, 'platform'));
    const waiting = await encryption.listNeedingReseal(db, sealsContent, Math.max(0, free));
    const withTraces = await encryption.listWithTraces(db, LOST_AFTER_MINUTES, MAX_CONCURRENT_RESEALS);
    for (const orgId of withTraces)
      await inTransaction({ db, orgId }, (tx) => resumeReseal(tx, this.#deps.outbox));
    let startedCount = 0;
    for (const orgId of waiting.orgIds) if (await this.#tryBegin({ db, orgId })) startedCount += 1;
    return { begun: startedCount, left: waiting.total - waiting.orgIds.length };
  }

  /**
   * Starts the conversion of one workspace's content. A failure is logged, so that the other workspaces
   * continue.
   */
  async #tryBegin(scope: OrgScope): Promise<boolean> {
    try {
      return await this.#beginSealing(scope);
    } catch (error) {
      const { orgId } = scope;
      this.#deps.log.error({ err: error, orgId }, 'cannot start the reseal of a workspace');
      return false;
    }
  }

  /**
   * Starts the conversion of a workspace's content. Returns false if the workspace's mode has changed or a
   * conversion was started since it was listed.
   */
  async #beginSealing(scope: OrgScope): Promise<boolean> {
    const { encryption, contentKeys, sealsContent } = this.#deps;
    // Creates the workspace's first encryption key.
    if (sealsContent) await contentKeys.getCurrentKey(scope.orgId);
    return inTransaction(scope, async (tx) => {
      if (!needsReseal(await encryption.lock(tx), sealsContent)) return false;
      await beginReseal(tx, this.#deps);
      return true;
    });
  }
}

function needsReseal(
  { mode, isSealing, isAllSealed, keyVersion }: OrgEncryption,
  sealsContent: boolean,
): boolean {
  if (mode !== 'platform' || isSealing) return false;
  return sealsContent ? !isAllSealed : keyVersion !== null;
}
