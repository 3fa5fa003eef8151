import { LRUCache } from 'lru-cache';
import { Batcher } from '../../core/concurrency/batcher.ts';
import type { Clock } from '../../core/clock.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';

/** State that determines how a workspace's content is encrypted. */
export interface SealingState {
  /** Version of the workspace's current key; null if content is stored unencrypted or no key exists yet. */
  keyVersion: number | null;
  /** True if the workspace's content must be encrypted but no key exists yet. */
  lacksKey: boolean;
  /** True if any content of the workspace may be encrypted. */
  isAnySealed: boolean;
  /**
   * True if all content is encrypted with the workspace's own key. Unencrypted rows are then refused, since
   * an attacker may have inserted them.
   */
  isAllSealed: boolean;
  /**
   * True while the workspace's content is converted after a change of encryption. The conversion includes
   * files whose upload began before the change.
   */
  isSealing: boolean;
}

/**
 * Maximum number of seconds for which a process may use an outdated encryption state of a workspace after a
 * change.
 */
const MAX_STALE_SECONDS = 5;
/** Fraction of MAX_STALE_SECONDS after which a cached encryption state is renewed in the background. */
const RENEW_AFTER = 0.5;
const MAX_CACHED_WORKSPACES = 10_000;

interface CachedState {
  state: SealingState;
  readAt: number;
}

/**
 * Current encryption state of a workspace. Content whose key is at least as new as `sealedSinceVersion` need
 * not be converted.
 */
export type LockedSealingState = SealingState & Pick<OrgEncryption, 'sealedSinceVersion'>;

export interface SealingStatesDeps {
  database: Database;
  encryption: OrgEncryptionRepository;
  clock: Clock;
  settings: Pick<Settings, 'sealContent'>;
}

/**
 * Caches whether workspaces encrypt their content, for at most five seconds. Writes thus need no
 * additional query.
 */
export class SealingStates {
  readonly #encryption: OrgEncryptionRepository;
  readonly #sealContent: boolean;
  readonly #clock: Clock;
  readonly #cache = new LRUCache<string, CachedState>({ max: MAX_CACHED_WORKSPACES });
  readonly #reads: Batcher<string, CachedState>;

  constructor({ database, encryption, clock, settings: { sealContent } }: SealingStatesDeps) {
    this.#encryption = encryption;
    this.#sealContent = sealContent;
    this.#clock = clock;
    this.#reads = new Batcher(async (orgIds) => {
      const readAt = this.#now;
      const rows = await encryption.list(database, orgIds);
      const byOrg = new Map(rows.map((row) => [row.orgId, row]));
      return orgIds.map((orgId) => ({ state: toSealingState(byOrg.get(orgId), sealContent), readAt }));
    });
  }

  async get(orgId: string): Promise<SealingState> {
    return this.peek(orgId) ?? this.#loadState(orgId);
  }

  /** Returns the workspace's cached encryption state; undefined if it is missing or too old. */
  peek(orgId: string): SealingState | undefined {
    const cached = this.#cache.get(orgId);
    const age = cached ? this.#now - cached.readAt : Infinity;
    if (!cached || age >= MAX_STALE_SECONDS * 1000) return undefined;
    if (age >= MAX_STALE_SECONDS * 1000 * RENEW_AFTER) this.#loadState(orgId).catch(() => undefined);
    return cached.state;
  }

  /** Reads the workspace's current encryption state from the database, even if it is cached. */
  reread(orgId: string): Promise<SealingState> {
    return this.#loadState(orgId);
  }

  /** Reads the workspace's current encryption state, and locks it until the caller's transaction ends. */
  async lock(tx: OrgScope): Promise<LockedSealingState> {
    const row = (await this.#encryption.findLocked(tx)) ?? undefined;
    return { ...toSealingState(row, this.#sealContent), sealedSinceVersion: row?.sealedSinceVersion ?? 0 };
  }

  forget(orgId: string): void {
    this.#cache.delete(orgId);
  }

  async #loadState(orgId: string): Promise<SealingState> {
    const cachedState = await this.#reads.load(orgId);
    this.#cache.set(orgId, cachedState);
    return cachedState.state;
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }
}

function toSealingState(row: OrgEncryption | undefined, sealContent: boolean): SealingState {
  const isSealed = row?.mode === 'tenant' || sealContent;
  const keyVersion = (isSealed && row?.keyVersion) || null;
  return {
    keyVersion,
    lacksKey: isSealed && keyVersion === null,
    isAnySealed: row !== undefined && (row.keyVersion !== null || row.isSealing),
    isAllSealed: row?.mode === 'tenant' && row.isAllSealed,
    isSealing: row?.isSealing ?? false,
  };
}
