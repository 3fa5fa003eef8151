import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { beginReseal, resumeReseal } from './begin-reseal.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

export interface BegunReseals {
  begun: number;
  /** How many workspaces wait for their turn. */
  left: number;
}

export interface OperatorSealingDeps {
  encryption: OrgEncryptionRepository;
  contentKeys: Pick<WorkspaceContentKeys, 'current'>;
  outbox: OutboxService;
  log: Logger;
  sealsContent: boolean;
}

/** So many that visitors and the database notice little of them. */
const AT_ONCE = 20;

/** A workflow that rewrites tables and is still running is left alone by another start. */
const LOST_AFTER_MINUTES = 10;

/** Has workspaces without a key of their own kept as the operator wants: sealed under the master key, or readable. */
export class OperatorSealing {
  readonly #deps: OperatorSealingDeps;

  constructor(deps: OperatorSealingDeps) {
    this.#deps = deps;
  }

  /** Begins to convert as many as there are places for. */
  async beginSome(db: Database): Promise<BegunReseals> {
    const { encryption, sealsContent } = this.#deps;
    const free = AT_ONCE - (await encryption.countSealing(db, 'platform'));
    const waiting = await encryption.listKeptOtherwise(db, sealsContent, Math.max(0, free));
    const left = await encryption.listWithTraces(db, LOST_AFTER_MINUTES, AT_ONCE);
    for (const orgId of left) await inTransaction({ db, orgId }, (tx) => resumeReseal(tx, this.#deps.outbox));
    let begun = 0;
    for (const orgId of waiting.orgIds) if (await this.#hasBegun({ db, orgId })) begun += 1;
    return { begun, left: waiting.total - waiting.orgIds.length };
  }

  /** One that fails keeps no other from being converted. */
  async #hasBegun(scope: OrgScope): Promise<boolean> {
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

  /** Returns false where somebody else has begun, or chosen another mode, since it was found. */
  async #begin(scope: OrgScope): Promise<boolean> {
    const { encryption, contentKeys, sealsContent } = this.#deps;
    // Has the first key made.
    if (sealsContent) await contentKeys.current(scope.orgId);
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
