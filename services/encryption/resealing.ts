import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentTarget } from '../../database/content-conversion.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryption, ResealCursor } from '../../entities/encryption/org-encryption.entity.ts';
import type { ContentWriters } from '../../repositories/encryption/content-writers.repository.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import { nextVersion } from './next-version.ts';
import { rewrapDataKey, type KeyOpening } from './key-opening.ts';
import type { ResealTarget } from './reseal-targets.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

const WRITERS_POLL_MS = 100;

/** Progress of a workspace's reseal; contains no content. */
export interface ResealProgress {
  place: string | null;
  /** Rows and files converted so far. */
  converted: number;
  /** True after the last target. */
  isAtEnd: boolean;
  /** True if this walk has converted anything. */
  hasFound: boolean;
}

export interface ResealingDeps {
  encryption: OrgEncryptionRepository;
  keys: WorkspaceKeyRepository;
  opening: KeyOpening;
  contentKeys: WorkspaceContentKeys;
  writers: ContentWriters;
  targets: readonly ResealTarget[];
  sealsContent: boolean;
}

/** Converts all content of a workspace to its current mode and key, while the workspace stays in use. */
export class Resealing {
  readonly #deps: ResealingDeps;

  constructor(deps: ResealingDeps) {
    this.#deps = deps;
  }

  /**
   * Runs steps until the walk ends or `shouldStop` returns true. Each step reads the state again, so that it follows
   * another switch.
   * Returns null if there is nothing to convert.
   * @throws AppError `key_unavailable`
   */
  async runSteps(scope: OrgScope, shouldStop: () => boolean): Promise<ResealProgress | null> {
    for (;;) {
      const progress = await this.#step(scope);
      if (progress === null || progress.isAtEnd || shouldStop()) return progress;
    }
  }

  /**
   * Begins a walk from the start. Another walk follows if this one converts anything.
   * Waits for transactions that may have chosen their key before the switch: the walk would not see their rows.
   */
  async restart(scope: OrgScope, signal?: AbortSignal): Promise<void> {
    const { encryption, writers } = this.#deps;
    const earlierWriters = await writers.list(scope.db);
    while (earlierWriters.length > 0 && !(await writers.haveEnded(scope.db, earlierWriters)))
      await sleep(WRITERS_POLL_MS, undefined, { ...(signal && { signal }) });
    await encryption.update(scope, { cursor: null });
  }

  /**
   * Rewraps the data keys with the newest workspace key and deletes unused keys.
   * Returns false, without finishing, if the last walk has converted anything or another switch has happened since.
   */
  async finish(scope: OrgScope): Promise<boolean> {
    const { encryption, keys, opening, contentKeys } = this.#deps;
    const opened = await opening.open(scope);
    const isDone = await inTransaction(scope, async (tx) => {
      const state = await encryption.lock(tx);
      const [newest] = opened.workspaceKeys;
      const { dataKeys, workspaceKeys } = await keys.list(tx);
      const isWalked = state.cursor?.isAtEnd === true && state.cursor.found === 0;
      if (!isWalked || workspaceKeys[0]?.id !== newest?.id) return false;
      const isReadable = this.#staysReadable(state);
      if (isReadable && state.keyVersion !== null) {
        // A process with an outdated state now creates a new key, which reveals its writes to the next walk.
        const sealedSinceVersion = nextVersion(state, workspaceKeys) - 1;
        await encryption.update(tx, { keyVersion: null, sealedSinceVersion });
        return false;
      }
      for (const row of dataKeys) {
        const by = opened.workspaceKeys.find(({ id }) => id === row.workspaceKeyId);
        if (by && newest && by !== newest) await keys.rewrapDataKey(tx, rewrapDataKey(row, by, newest));
      }
      if (isReadable) await keys.deleteAll(tx);
      else if (newest) await keys.deleteOlder(tx, state.sealedSinceVersion, newest.version);
      const hasTraces =
        !isReadable && (state.resealedRows > 0 || (state.mode === 'tenant' && !state.isAllSealed));
      await encryption.update(tx, {
        isSealing: false,
        isAllSealed: !isReadable,
        cursor: null,
        ...(hasTraces && { tracesSince: () => 'now()' }),
        ...(isReadable && { tracesSince: null }),
      });
      return true;
    });
    contentKeys.forget(scope.orgId);
    return isDone;
  }

  /** Returns true if no content is to be sealed. */
  #staysReadable({ mode }: OrgEncryption): boolean {
    return mode === 'platform' && !this.#deps.sealsContent;
  }

  async #step(scope: OrgScope): Promise<ResealProgress | null> {
    const { encryption, targets } = this.#deps;
    const state = await encryption.find(scope);
    if (!state?.isSealing) return null;
    const { place: name, from, found } = state.cursor ?? { place: targets[0]!.name, from: null, found: 0 };
    const index = Math.max(
      0,
      targets.findIndex((target) => target.name === name),
    );
    const { converted, next } = await targets[index]!.convert(
      scope,
      from,
      await this.#loadTarget(scope, state),
    );
    const nextTarget = next === null ? targets[index + 1] : targets[index];
    const cursor: ResealCursor = {
      place: nextTarget?.name ?? targets[index]!.name,
      from: nextTarget ? next : from,
      found: found + converted,
      isAtEnd: nextTarget === undefined,
    };
    await encryption.advance(scope, state, cursor, converted);
    return {
      place: nextTarget?.name ?? null,
      converted: state.resealedRows + converted,
      isAtEnd: nextTarget === undefined,
      hasFound: cursor.found > 0,
    };
  }

  async #loadTarget(scope: OrgScope, { sealedSinceVersion }: OrgEncryption): Promise<ContentTarget> {
    const { keys, contentKeys } = this.#deps;
    contentKeys.forgetState(scope.orgId);
    const key = await contentKeys.getCurrentKey(scope.orgId);
    if (key === null) return { key, keyIds: [] };
    const { dataKeys } = await keys.list(scope);
    const validKeys = dataKeys.filter(({ madeVersion }) => madeVersion >= sealedSinceVersion);
    return { key, keyIds: validKeys.map(({ id }) => id) };
  }
}
