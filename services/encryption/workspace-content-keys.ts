import { LRUCache } from 'lru-cache';
import type { ContentKey, ContentKeys, ContentMarker } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { DataKey } from '../../adapters/keys/data-key.ts';
import { UnwrappedKeyCache } from './unwrapped-key-cache.ts';
import { KEY_RETRY_SECONDS } from './key-unavailable.ts';
import { getNextKeyVersion } from './next-key-version.ts';
import type { KeyUnwrapping } from './key-unwrapping.ts';
import type { UnwrappedKeys, UnwrappedWorkspaceKey } from './unwrapped-keys.ts';
import type { UndecryptableValueCounter } from './undecryptable-value-counter.ts';
import type { SealingStates } from './sealing-states.ts';
import type { Logger } from '../../core/logger.ts';
import type { Clock } from '../../core/clock.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';

export interface WorkspaceContentKeysDeps {
  database: Database;
  keys: WorkspaceKeyRepository;
  encryption: OrgEncryptionRepository;
  unwrapping: KeyUnwrapping;
  states: SealingStates;
  clock: Clock;
  undecryptableValues: UndecryptableValueCounter;
  log: Logger;
  settings: Pick<Settings, 'tenantKeyCacheSeconds'>;
}

const MAX_MISSING_KEYS = 10_000;

/**
 * Provides the keys that encrypt workspaces' content. Concurrent readers and writers share the same unwrapped
 * keys.
 */
export class WorkspaceContentKeys implements ContentKeys {
  readonly #deps: WorkspaceContentKeysDeps;
  readonly #states: SealingStates;
  readonly #cache: UnwrappedKeyCache<UnwrappedKeys>;
  /**
   * Times at which data keys were found to be missing, by workspace and key id. A deleted key is never
   * created again.
   */
  readonly #missing = new LRUCache<string, number>({ max: MAX_MISSING_KEYS });

  constructor(deps: WorkspaceContentKeysDeps) {
    const { database: db, unwrapping, states, clock, settings } = deps;
    this.#deps = deps;
    this.#states = states;
    this.#cache = new UnwrappedKeyCache({
      unwrap: (orgId, known) => unwrapping.unwrapAll({ db, orgId }, known?.workspaceKeys),
      clock,
      cacheSeconds: settings.tenantKeyCacheSeconds,
    });
  }

  async getCurrentKey(orgId: string): Promise<DataKey | null> {
    const { keyVersion, lacksKey } = await this.#states.get(orgId);
    if (keyVersion === null) return lacksKey ? this.#createFirstKey(orgId) : null;
    const cached = (await this.#cache.get(orgId)).current.get(keyVersion);
    const key = cached ?? (await this.#reread(orgId, ({ current }) => current.get(keyVersion)));
    if (!key) throw new Error(`The workspace ${orgId} has no data key of version ${keyVersion}.`);
    return key;
  }

  async peekCurrentKey(orgId: string): Promise<DataKey | null | undefined> {
    const { keyVersion, lacksKey } = await this.#states.get(orgId);
    if (keyVersion === null) return lacksKey ? undefined : null;
    return this.#cache.peek(orgId)?.current.get(keyVersion);
  }

  /**
   * Returns the workspace's oldest data key, which digests the words of questions for comparison. It stays
   * the same from month to month. Null if the workspace stores plain text.
   */
  async getMarker(orgId: string): Promise<ContentMarker | null> {
    if ((await this.getCurrentKey(orgId)) === null) return null;
    const { dataKeys } = await this.#cache.get(orgId);
    return [...dataKeys.values()].reduce((oldest, key) => (key.id < oldest.id ? key : oldest));
  }

  /**
   * Returns true if content encrypted with this key can be stored without a later conversion. Locks the
   * encryption state until the caller's transaction ends, so that a later conversion finds the row.
   * @param keyId id of the key; null for unencrypted content
   */
  async isStillValidLocked(tx: OrgScope, keyId: string | null): Promise<boolean> {
    const { keyVersion, lacksKey, sealedSinceVersion } = await this.#states.lock(tx);
    // Discards the cached encryption state, so that a retry reads the current state.
    this.forgetState(tx.orgId);
    if (keyVersion === null) return keyId === null && !lacksKey;
    const { dataKeys } = await this.#deps.keys.list(tx);
    return dataKeys.some(({ id, madeVersion }) => id === keyId && madeVersion >= sealedSinceVersion);
  }

  /**
   * Decrypts the keys of a workspace with encrypted content, before the content is read or written.
   * @throws AppError `key_unavailable`
   */
  async require(orgId: string): Promise<void> {
    const { isAnySealed } = await this.#states.get(orgId);
    if (isAnySealed) await this.#cache.get(orgId);
  }

  prepareKey(orgId: string, keyId: string): Promise<void> | undefined {
    if (this.isKeyOpen(orgId, keyId) || this.#isMissing(orgId, keyId)) return undefined;
    return this.#reread(orgId, ({ dataKeys }) => dataKeys.get(keyId)).then(
      (key) => {
        if (!key) this.#missing.set(`${orgId} ${keyId}`, this.#now);
      },
      // Ignores the error here: `requireCachedKey` throws it when the row is read.
      () => undefined,
    );
  }

  isKeyOpen(orgId: string, keyId: string): boolean {
    return this.#cache.peek(orgId)?.dataKeys.has(keyId) ?? false;
  }

  isKnownToAcceptPlain(orgId: string): boolean {
    return this.#states.peek(orgId)?.isAllSealed === false;
  }

  /**
   * Returns true if the workspace may have unencrypted rows. Reads the current state if the cached state
   * forbids them: the mode may have changed before the row was read.
   */
  async mayBePlain(orgId: string): Promise<boolean> {
    const isKnown = this.#states.peek(orgId) !== undefined;
    if (!isKnown && !(await this.#states.get(orgId)).isAllSealed) return true;
    return !(await this.#states.reread(orgId)).isAllSealed;
  }

  reportRefusal(reason: Error): void {
    this.#deps.undecryptableValues.add();
    this.#deps.log.error({ err: reason }, 'refused content that should be encrypted, but is not');
  }

  /**
   * Returns true if the workspace may have unencrypted files. Such files are allowed until a conversion has
   * included files whose upload began before the change of encryption.
   */
  async mayBePlainFile(orgId: string): Promise<boolean> {
    const cached = await this.#states.get(orgId);
    if (!cached.isAllSealed || cached.isSealing) return true;
    const { isAllSealed, isSealing } = await this.#states.reread(orgId);
    return !isAllSealed || isSealing;
  }

  requireCachedKey(orgId: string, keyId: string): ContentKey {
    const key = this.#cache.peek(orgId)?.dataKeys.get(keyId);
    if (key) return key;
    if (!this.#isMissing(orgId, keyId)) throw this.#cache.createUnavailableError(orgId);
    this.#deps.undecryptableValues.add();
    throw new Error(
      `The workspace ${orgId} has no data key ${keyId}: Parley did not write the value that names it.`,
    );
  }

  /**
   * Returns the decrypted workspace keys of the workspace.
   * @throws AppError `key_unavailable`
   */
  async workspaceKeys(orgId: string): Promise<readonly UnwrappedWorkspaceKey[]> {
    return (await this.#cache.get(orgId)).workspaceKeys;
  }

  /**
   * Decrypts the workspace's keys with the key service, even if they are cached.
   * @throws KeyServiceError
   */
  async unwrapUncached(orgId: string): Promise<void> {
    await this.#cache.unwrapUncached(orgId);
  }

  /** Removes the workspace's encryption state from the cache. */
  forgetState(orgId: string): void {
    this.#states.forget(orgId);
  }

  /**
   * Removes the workspace's encryption state and keys from the cache. Call this after keys or their service
   * have changed.
   */
  forget(orgId: string): void {
    this.#states.forget(orgId);
    this.#cache.forget(orgId);
  }

  #isMissing(orgId: string, keyId: string): boolean {
    const seenAt = this.#missing.get(`${orgId} ${keyId}`);
    return seenAt !== undefined && this.#now - seenAt < KEY_RETRY_SECONDS * 1000;
  }

  get #now(): number {
    return this.#deps.clock.now().getTime();
  }

  /**
   * Reloads the workspace's keys, twice if necessary: a shared read may have begun before the key was stored.
   */
  async #reread<T>(orgId: string, find: (keys: UnwrappedKeys) => T | undefined): Promise<T | undefined> {
    return find(await this.#cache.reread(orgId)) ?? find(await this.#cache.reread(orgId));
  }

  /**
   * Creates the first encryption key of a workspace that has no key service but whose content the operator
   * wants encrypted.
   */
  async #createFirstKey(orgId: string): Promise<DataKey | null> {
    const { database: db, keys, encryption, unwrapping } = this.#deps;
    await inTransaction({ db, orgId }, async (tx) => {
      const state = await encryption.lock(tx);
      if (state.mode !== 'platform' || state.keyVersion !== null) return;
      const version = getNextKeyVersion(state, (await keys.list(tx)).workspaceKeys);
      const key = await unwrapping.createWorkspaceKey(tx, version, 'master');
      await keys.insert(tx, key);
      await encryption.update(tx, { keyVersion: key.version });
    });
    this.forget(orgId);
    return this.getCurrentKey(orgId);
  }
}
