import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentTarget } from '../../database/content-conversion.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryption, ResealCursor } from '../../entities/encryption/org-encryption.entity.ts';
import type { ContentWriters } from '../../repositories/encryption/content-writers.repository.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import { getNextKeyVersion } from './next-key-version.ts';
import { rewrapDataKey, type KeyUnwrapping } from './key-unwrapping.ts';
import type { ResealTarget } from './reseal-targets.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

const WRITERS_POLL_MS = 100;

/** Progress of the conversion of a workspace's content, without any content. */
export interface ResealProgress {
  /** Name of the table or set of files that is converted next; null after the last. */
  place: string | null;
  /** Number of rows and files converted so far. */
  converted: number;
  /** True once all tables and files are converted. */
  isAtEnd: boolean;
  /** True if the current pass over the content has converted anything. */
  hasFound: boolean;
}

export interface ResealingDeps {
  encryption: OrgEncryptionRepository;
  keys: WorkspaceKeyRepository;
  unwrapping: KeyUnwrapping;
  contentKeys: WorkspaceContentKeys;
  writers: ContentWriters;
  targets: readonly ResealTarget[];
  sealsContent: boolean;
}

/**
 * Converts all content of a workspace to its current encryption mode and key. The workspace remains usable
 * during the conversion.
 */
export class Resealing {
  readonly #deps: ResealingDeps;

  constructor(deps: ResealingDeps) {
    this.#deps = deps;
  }

  /**
   * Converts the workspace's content until the pass ends or `shouldStop` returns true. Each step reads the
   * encryption state again, since the mode may change between steps. Returns null if no content must be
   * converted.
   * @throws AppError `key_unavailable`
   */
  async runSteps(scope: OrgScope, shouldStop: () => boolean): Promise<ResealProgress | null> {
    for (;;) {
      const progress = await this.#step(scope);
      if (progress === null || progress.isAtEnd || shouldStop()) return progress;
    }
  }

  /**
   * Starts a pass over all content of the workspace. First waits for transactions that may still use the
   * previous key, since the pass would not see their rows. If a pass converts anything, another pass follows.
   */
  async restart(scope: OrgScope, signal?: AbortSignal): Promise<void> {
    const { encryption, writers } = this.#deps;
    const earlierWriters = await writers.list(scope.db);
    while (earlierWriters.length > 0 && !(await writers.haveEnded(scope.db, earlierWriters)))
      await sleep(WRITERS_POLL_MS, undefined, { ...(signal && { signal }) });
    await encryption.update(scope, { cursor: null });
  }

  /**
   * Ends the conversion of the workspace's content: encrypts data keys with the newest workspace key, and
   * deletes unused keys. Returns false, without ending it, if the last pass has converted anything or the
   * mode has changed.
   */
  async finish(scope: OrgScope): Promise<boolean> {
    const { encryption, keys, unwrapping, contentKeys } = this.#deps;
    const unwrapped = await unwrapping.unwrapAll(scope);
    const isDone = await inTransaction(scope, async (tx) => {
      const state = await encryption.lock(tx);
      const [newest] = unwrapped.workspaceKeys;
      const { dataKeys, workspaceKeys } = await keys.list(tx);
      const isPassClean = state.cursor?.isAtEnd === true && state.cursor.found === 0;
      if (!isPassClean || workspaceKeys[0]?.id !== newest?.id) return false;
      const storesPlain = this.#storesPlain(state);
      if (storesPlain && state.keyVersion !== null) {
        // Removes the current key first. A process with an outdated state then has to create a new key, so
        // that the next pass finds its writes.
        const sealedSinceVersion = getNextKeyVersion(state, workspaceKeys) - 1;
        await encryption.update(tx, { keyVersion: null, sealedSinceVersion });
        return false;
      }
      for (const row of dataKeys) {
        const by = unwrapped.workspaceKeys.find(({ id }) => id === row.workspaceKeyId);
        if (by && newest && by !== newest) await keys.rewrapDataKey(tx, rewrapDataKey(row, by, newest));
      }
      if (storesPlain) await keys.deleteAll(tx);
      else if (newest) await keys.deleteOlder(tx, state.sealedSinceVersion, newest.version);
      const hasTraces =
        !storesPlain && (state.resealedRows > 0 || (state.mode === 'tenant' && !state.isAllSealed));
      await encryption.update(tx, {
        isSealing: false,
        isAllSealed: !storesPlain,
        cursor: null,
        ...(hasTraces && { tracesSince: () => 'now()' }),
        ...(storesPlain && { tracesSince: null }),
      });
      return true;
    });
    contentKeys.forget(scope.orgId);
    return isDone;
  }

  /** Returns true if the workspace's content must be stored unencrypted. */
  #storesPlain({ mode }: OrgEncryption): boolean {
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
