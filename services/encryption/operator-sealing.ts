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
  /** Number of workspaces that wait to be resealed. */
  left: number;
}

export interface OperatorSealingDeps {
  encryption: OrgEncryptionRepository;
  contentKeys: Pick<WorkspaceContentKeys, 'getCurrentKey'>;
  outbox: OutboxService;
  log: Logger;
  sealsContent: boolean;
}

/** Limits the load on the database, so that visitors notice little. */
const MAX_CONCURRENT_RESEALS = 20;

/**
 * Age of old row versions in files that suggests a lost workflow. Starting the workflow has no effect while it runs.
 */
const LOST_AFTER_MINUTES = 10;

/**
 * Reseals workspaces without a key of their own as the operator has configured: sealed under the master key, or
 * readable.
 */
export class OperatorSealing {
  readonly #deps: OperatorSealingDeps;

  constructor(deps: OperatorSealingDeps) {
    this.#deps = deps;
  }

  /** Begins to reseal as many waiting workspaces as the limit allows. */
  async beginReseals(db: Database): Promise<StartedReseals> {
    const { encryption, sealsContent } = this.#deps;
    const free = MAX_CONCURRENT_RESEALS - (await encryption.countSealing(db, 'platform'));
    const waiting = await encryption.listNeedingReseal(db, sealsContent, Math.max(0, free));
    const withTraces = await encryption.listWithTraces(db, LOST_AFTER_MINUTES, MAX_CONCURRENT_RESEALS);
    for (const orgId of withTraces)
      await inTransaction({ db, orgId }, (tx) => resumeReseal(tx, this.#deps.outbox));
    let begun = 0;
    for (const orgId of waiting.orgIds) if (await this.#tryBegin({ db, orgId })) begun += 1;
    return { begun, left: waiting.total - waiting.orgIds.length };
  }

  /** Logs a failure and continues with the other workspaces. */
  async #tryBegin(scope: OrgScope): Promise<boolean> {
    try {
      return await this.#begin(scope);
    } catch (error) {
      const { orgId } = scope;
      this.#deps.log.error(
        { err: error, orgId },
        'the content of a workspace could not begin to be converted',
      );
      return false;
    }
  }

  /** Returns false if a reseal has begun or the mode has changed since the workspace was listed. */
  async #begin(scope: OrgScope): Promise<boolean> {
    const { encryption, contentKeys, sealsContent } = this.#deps;
    // Creates the first key.
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
