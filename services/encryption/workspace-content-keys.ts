import { LRUCache } from 'lru-cache';
import type { ContentKey, ContentKeys, ContentMarker } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import type { DataKey } from '../../adapters/keys/data-key.ts';
import { KeptKeys } from './kept-keys.ts';
import { FAILURE_SECONDS } from './key-unavailable.ts';
import { nextVersion } from './next-version.ts';
import type { KeyOpening } from './key-opening.ts';
import type { OpenedKeys, OpenWorkspaceKey } from './opened-keys.ts';
import type { RefusedValues } from './refused-values.ts';
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
  opening: KeyOpening;
  states: SealingStates;
  clock: Clock;
  refusedValues: RefusedValues;
  log: Logger;
  settings: Pick<Settings, 'tenantKeyCacheSeconds'>;
}

const KEPT_MISSING = 10_000;

/** The keys of workspaces' content, opened once for many. */
export class WorkspaceContentKeys implements ContentKeys {
  readonly #deps: WorkspaceContentKeysDeps;
  readonly #states: SealingStates;
  readonly #kept: KeptKeys<OpenedKeys>;
  /** When it was seen last that a workspace does not have a data key that its rows name; removed ones never come back. */
  readonly #missing = new LRUCache<string, number>({ max: KEPT_MISSING });

  constructor(deps: WorkspaceContentKeysDeps) {
    const { database: db, opening, states, clock, settings } = deps;
    this.#deps = deps;
    this.#states = states;
    this.#kept = new KeptKeys({
      open: (orgId, known) => opening.open({ db, orgId }, known?.workspaceKeys),
      clock,
      keepSeconds: settings.tenantKeyCacheSeconds,
    });
  }

  async current(orgId: string): Promise<DataKey | null> {
    const { keyVersion, lacksKey } = await this.#states.get(orgId);
    if (keyVersion === null) return lacksKey ? this.#begin(orgId) : null;
    const known = (await this.#kept.get(orgId)).current.get(keyVersion);
    const key = known ?? (await this.#reread(orgId, ({ current }) => current.get(keyVersion)));
    if (!key) throw new Error(`The workspace ${orgId} has no data key of version ${keyVersion}.`);
    return key;
  }

  /** The oldest key that there is: those of months come and go. */
  async marker(orgId: string): Promise<ContentMarker | null> {
    if ((await this.current(orgId)) === null) return null;
    const { dataKeys } = await this.#kept.get(orgId);
    return [...dataKeys.values()].reduce((oldest, key) => (key.id < oldest.id ? key : oldest));
  }

  /**
   * In a transaction that stores what was sealed with the key, or left readable, a while ago: whether it is to be kept so. There is no switch
   * before the transaction ends, so that `reseal` finds what it has stored.
   */
  async isToStay(tx: OrgScope, keyId: string | null): Promise<boolean> {
    const { keyVersion, lacksKey, sealedSinceVersion } = await this.#states.lock(tx);
    // Whoever begins again does it as it is to be now.
    this.forgetState(tx.orgId);
    if (keyVersion === null) return keyId === null && !lacksKey;
    const { dataKeys } = await this.#deps.keys.list(tx);
    return dataKeys.some(({ id, madeVersion }) => id === keyId && madeVersion >= sealedSinceVersion);
  }

  /** Before anything is read or written of a workspace that may have sealed content. @throws AppError `key_unavailable` */
  async require(orgId: string): Promise<void> {
    const { isAnySealed } = await this.#states.get(orgId);
    if (isAnySealed) await this.#kept.get(orgId);
  }

  prepare(orgId: string, keyId: string): Promise<void> | undefined {
    if (this.isOpen(orgId, keyId) || this.#isMissing(orgId, keyId)) return undefined;
    return this.#reread(orgId, ({ dataKeys }) => dataKeys.get(keyId)).then(
      (key) => {
        if (!key) this.#missing.set(`${orgId} ${keyId}`, this.#now);
      },
      // Who opens the row is told.
      () => undefined,
    );
  }

  isOpen(orgId: string, keyId: string): boolean {
    return this.#kept.peek(orgId)?.dataKeys.has(keyId) ?? false;
  }

  mayBeReadable(orgId: string): true | Promise<boolean> {
    const known = this.#states.peek(orgId);
    if (known && !known.isAllSealed) return true;
    return this.#isReadableNow(orgId, known !== undefined);
  }

  noteRefused(reason: Error): void {
    this.#deps.refusedValues.add();
    this.#deps.log.error({ err: reason }, 'content that is not sealed was refused');
  }

  /** Whether a file of the workspace that is not sealed is genuine: one that arrived late is until `reseal` has come by. */
  async mayBeReadableFile(orgId: string): Promise<boolean> {
    const known = await this.#states.get(orgId);
    if (!known.isAllSealed || known.isSealing) return true;
    const { isAllSealed, isSealing } = await this.#states.reread(orgId);
    return !isAllSealed || isSealing;
  }

  opened(orgId: string, keyId: string): ContentKey {
    const key = this.#kept.peek(orgId)?.dataKeys.get(keyId);
    if (key) return key;
    if (!this.#isMissing(orgId, keyId)) throw this.#kept.refusal(orgId);
    this.#deps.refusedValues.add();
    throw new Error(`The workspace ${orgId} has no data key ${keyId}: what names it comes from elsewhere.`);
  }

  /** Those that are open, or can be opened. @throws AppError `key_unavailable` */
  async workspaceKeys(orgId: string): Promise<readonly OpenWorkspaceKey[]> {
    return (await this.#kept.get(orgId)).workspaceKeys;
  }

  /** Has whoever holds the key asked, whatever is open still. @throws KeyServiceError */
  async ask(orgId: string): Promise<void> {
    await this.#kept.ask(orgId);
  }

  /** Has it read anew how the content is sealed. */
  forgetState(orgId: string): void {
    this.#states.forget(orgId);
  }

  /** After keys or their service have changed, so that this process goes on with what there is. */
  forget(orgId: string): void {
    this.#states.forget(orgId);
    this.#kept.forget(orgId);
  }

  /** There may have been a switch since the state was read, and before the row was. */
  async #isReadableNow(orgId: string, isKnown: boolean): Promise<boolean> {
    if (!isKnown && !(await this.#states.get(orgId)).isAllSealed) return true;
    return !(await this.#states.reread(orgId)).isAllSealed;
  }

  #isMissing(orgId: string, keyId: string): boolean {
    const seenAt = this.#missing.get(`${orgId} ${keyId}`);
    return seenAt !== undefined && this.#now - seenAt < FAILURE_SECONDS * 1000;
  }

  get #now(): number {
    return this.#deps.clock.now().getTime();
  }

  /** What is there once the keys were read anew: twice, since a reading that was under way may have begun before it was. */
  async #reread<T>(orgId: string, find: (keys: OpenedKeys) => T | undefined): Promise<T | undefined> {
    return find(await this.#kept.reread(orgId)) ?? find(await this.#kept.reread(orgId));
  }

  /** Makes the first key of a workspace that is sealed because the operator wants all to be. */
  async #begin(orgId: string): Promise<DataKey | null> {
    const { database: db, keys, encryption, opening } = this.#deps;
    await inTransaction({ db, orgId }, async (tx) => {
      const state = await encryption.lock(tx);
      if (state.mode !== 'platform' || state.keyVersion !== null) return;
      const version = nextVersion(state, (await keys.list(tx)).workspaceKeys);
      const key = await opening.newWorkspaceKey(tx, version, 'master');
      await keys.insert(tx, key);
      await encryption.update(tx, { keyVersion: key.version });
    });
    this.forget(orgId);
    return this.current(orgId);
  }
}
