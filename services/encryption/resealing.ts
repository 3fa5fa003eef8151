import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentTarget } from '../../database/content-conversion.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryption, ResealCursor } from '../../entities/encryption/org-encryption.entity.ts';
import type { ContentWriters } from '../../repositories/encryption/content-writers.repository.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import { nextVersion } from './next-version.ts';
import { rewrapped, type KeyOpening } from './key-opening.ts';
import type { PlaceOfContent } from './places-of-content.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

const WRITERS_POLL_MS = 100;

/** How far the sealing of a workspace is; it tells nothing of what is sealed. */
export interface ResealProgress {
  place: string | null;
  /** Rows and files so far. */
  converted: number;
  /** All places were walked to their end. */
  isAtEnd: boolean;
  /** Of this walk, anything was found. */
  hasFound: boolean;
}

export interface ResealingDeps {
  encryption: OrgEncryptionRepository;
  keys: WorkspaceKeyRepository;
  opening: KeyOpening;
  contentKeys: WorkspaceContentKeys;
  writers: ContentWriters;
  places: readonly PlaceOfContent[];
  sealsContent: boolean;
}

/** Brings all content of a workspace to how it is to be kept, beside whatever else goes on. */
export class Resealing {
  readonly #deps: ResealingDeps;

  constructor(deps: ResealingDeps) {
    this.#deps = deps;
  }

  /**
   * Goes some steps on. What to do is read anew at each step, so that another switch meanwhile is followed. Null where there is
   * nothing to do.
   * @throws AppError `key_unavailable`
   */
  async goOn(scope: OrgScope, until: () => boolean): Promise<ResealProgress | null> {
    for (;;) {
      const progress = await this.#step(scope);
      if (progress === null || progress.isAtEnd || until()) return progress;
    }
  }

  /**
   * Begins a walk from the start; what it finds tells whether there is to be another. Waits for transactions that may have chosen their
   * key before the switch: the walk would not see what they write.
   */
  async restart(scope: OrgScope, signal?: AbortSignal): Promise<void> {
    const { encryption, writers } = this.#deps;
    const before = await writers.list(scope.db);
    while (before.length > 0 && !(await writers.haveEnded(scope.db, before)))
      await sleep(WRITERS_POLL_MS, undefined, { ...(signal && { signal }) });
    await encryption.update(scope, { cursor: null });
  }

  /**
   * Has the data keys wrapped by the newest workspace key alone, and removes keys that nothing is sealed with any more. Returns
   * whether that is done: not where the last walk has found anything, or there was another switch since.
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
      const isReadable = this.#isReadable(state);
      if (isReadable && state.keyVersion !== null) {
        // A process that has not heard of it yet makes another key, and shows by it that it is there still.
        const sealedSinceVersion = nextVersion(state, workspaceKeys) - 1;
        await encryption.update(tx, { keyVersion: null, sealedSinceVersion });
        return false;
      }
      for (const row of dataKeys) {
        const by = opened.workspaceKeys.find(({ id }) => id === row.workspaceKeyId);
        if (by && newest && by !== newest) await keys.rewrapDataKey(tx, rewrapped(row, by, newest));
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

  /** Nothing is sealed any more. */
  #isReadable({ mode }: OrgEncryption): boolean {
    return mode === 'platform' && !this.#deps.sealsContent;
  }

  async #step(scope: OrgScope): Promise<ResealProgress | null> {
    const { encryption, places } = this.#deps;
    const state = await encryption.find(scope);
    if (!state?.isSealing) return null;
    const { place: name, from, found } = state.cursor ?? { place: places[0]!.name, from: null, found: 0 };
    const at = Math.max(
      0,
      places.findIndex((place) => place.name === name),
    );
    const { converted, next } = await places[at]!.convert(scope, from, await this.#target(scope, state));
    const following = next === null ? places[at + 1] : places[at];
    const cursor: ResealCursor = {
      place: following?.name ?? places[at]!.name,
      from: following ? next : from,
      found: found + converted,
      isAtEnd: following === undefined,
    };
    await encryption.advance(scope, state, cursor, converted);
    return {
      place: following?.name ?? null,
      converted: state.resealedRows + converted,
      isAtEnd: following === undefined,
      hasFound: cursor.found > 0,
    };
  }

  async #target(scope: OrgScope, { sealedSinceVersion }: OrgEncryption): Promise<ContentTarget> {
    const { keys, contentKeys } = this.#deps;
    contentKeys.forgetState(scope.orgId);
    const key = await contentKeys.current(scope.orgId);
    if (key === null) return { key, keyIds: [] };
    const { dataKeys } = await keys.list(scope);
    const kept = dataKeys.filter(({ madeVersion }) => madeVersion >= sealedSinceVersion);
    return { key, keyIds: kept.map(({ id }) => id) };
  }
}
