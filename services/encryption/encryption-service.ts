import { AppError } from '../../core/errors/errors.ts';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import { consequences } from '../../core/encryption/mode-consequences.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { EncryptionMode, OrgEncryption } from '../../entities/encryption/org-encryption.entity.ts';
import type { KeyRoot, WorkspaceKey } from '../../entities/encryption/workspace-key.entity.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type {
  NewWorkspaceKey,
  WorkspaceKeyRepository,
} from '../../repositories/encryption/workspace-key.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { beginReseal } from './begin-reseal.ts';
import type { KeyUnwrapping } from './key-unwrapping.ts';
import type { KeyServices } from './key-services.ts';
import { keyUnavailable } from './key-unavailable.ts';
import { getNextKeyVersion } from './next-key-version.ts';
import type { UnwrappedWorkspaceKey } from './unwrapped-keys.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

/** Encryption settings of a workspace, as the API returns them. */
export interface EncryptionView {
  mode: EncryptionMode;
  consequences: readonly string[];
  isSealing: boolean;
  keyCreatedAt: Date | null;
}

/**
 * A new encryption key of a workspace, prepared before the transaction that stores it. If the key's version
 * is no longer the next version, another process has changed the keys.
 */
export type PreparedKey = NewWorkspaceKey & { key: Buffer };

/**
 * Result of calling the key service before a workspace's encryption mode changes: a new key, or the existing
 * keys encrypted by the master key. Null if the mode stays the same.
 */
export type PreparedSwitch =
  | { mode: 'tenant'; key: PreparedKey }
  | { mode: 'platform'; rewrapped: Pick<WorkspaceKey, 'id' | 'root' | 'wrappedKey'>[] }
  | null;

export interface EncryptionServiceDeps {
  encryption: OrgEncryptionRepository;
  keys: WorkspaceKeyRepository;
  keyServices: KeyServices;
  unwrapping: KeyUnwrapping;
  contentKeys: WorkspaceContentKeys;
  outbox: OutboxService;
  sealsContent: boolean;
}

/** Manages the encryption mode and the workspace key of workspaces. */
export class EncryptionService {
  readonly #deps: EncryptionServiceDeps;

  constructor(deps: EncryptionServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the encryption settings of a workspace with their consequences.
   * @param preview mode to describe the consequences of, in place of the current mode
   */
  async get(scope: OrgScope, preview?: EncryptionMode): Promise<EncryptionView> {
    const state = await this.#state(scope);
    const key = state.keyVersion === null ? null : await this.#deps.keys.find(scope, state.keyVersion);
    return {
      mode: state.mode,
      consequences: [...consequences[preview ?? state.mode], ...describeProgress(state)],
      isSealing: state.isSealing || state.tracesSince !== null,
      keyCreatedAt: key?.createdAt ?? null,
    };
  }

  /**
   * Calls the key service, before the transaction that changes the workspace's encryption mode.
   * @throws AppError `conflict` if the workspace has no key service; `key_unavailable` if the service fails
   *   or refuses
   */
  async prepareSwitch(scope: OrgScope, mode: EncryptionMode): Promise<PreparedSwitch> {
    const { keys, keyServices } = this.#deps;
    const state = await this.#state(scope);
    if (state.mode === mode) return null;
    const { workspaceKeys } = await keys.list(scope);
    if (mode === 'platform') return { mode, rewrapped: await this.#wrapWithMaster(scope, workspaceKeys) };
    if ((await keyServices.findConfig(scope)) === null)
      throw new AppError('conflict', 'The workspace has no key service; set settings.key_service first.');
    return { mode, key: await this.#newKey(scope, getNextKeyVersion(state, workspaceKeys), 'service') };
  }

  /**
   * Changes the workspace's encryption mode in the caller's transaction. Existing content is converted in the
   * background.
   * @throws AppError `conflict` if the mode or a key has changed since `prepareSwitch`
   */
  async switch(scope: OrgScope, mode: EncryptionMode, prepared: PreparedSwitch): Promise<EncryptionView> {
    const { encryption, keys } = this.#deps;
    const state = await encryption.lock(scope);
    if (state.mode !== mode) {
      const { workspaceKeys } = await keys.list(scope);
      const version = getNextKeyVersion(state, workspaceKeys);
      if (prepared?.mode === 'tenant' && prepared.key.version === version)
        await this.#storeFirstKey(scope, prepared.key);
      else if (prepared?.mode === 'platform' && coversAllServiceKeys(prepared.rewrapped, workspaceKeys)) {
        for (const key of prepared.rewrapped) await keys.rewrap(scope, key);
        if (!this.#deps.sealsContent)
          await encryption.update(scope, { keyVersion: null, sealedSinceVersion: version - 1 });
      } else throw createModeChangedError();
      // The conversion that follows encrypts all content that is unencrypted now. After it, Parley refuses
      // unencrypted content.
      await encryption.update(scope, { mode, isAllSealed: false });
      await beginReseal(scope, this.#deps);
    }
    return this.get(scope);
  }

  /**
   * Creates a new encryption key for the workspace, before the transaction of `rotate`.
   * @throws AppError `conflict` if the workspace has no key or is being resealed; `key_unavailable`
   */
  async prepareRotation(scope: OrgScope): Promise<PreparedKey> {
    const state = this.#requireRotatable(await this.#state(scope));
    const { workspaceKeys } = await this.#deps.keys.list(scope);
    return this.#newKey(scope, getNextKeyVersion(state, workspaceKeys), chooseRoot(state));
  }

  /**
   * Stores the workspace's new encryption key in the caller's transaction. Data keys are encrypted with it in
   * the background.
   * @throws AppError `conflict` if the keys have changed since `prepareRotation`
   */
  async rotate(scope: OrgScope, prepared: PreparedKey): Promise<EncryptionView> {
    const { encryption, keys } = this.#deps;
    const state = this.#requireRotatable(await encryption.lock(scope));
    const version = getNextKeyVersion(state, (await keys.list(scope)).workspaceKeys);
    if (prepared.version !== version || prepared.root !== chooseRoot(state)) throw createModeChangedError();
    await this.#storeKey(scope, prepared);
    await beginReseal(scope, this.#deps);
    return this.get(scope);
  }

  async #state(scope: OrgScope): Promise<OrgEncryption> {
    return (await this.#deps.encryption.find(scope)) ?? createDefaultState(scope.orgId);
  }

  #requireRotatable(state: OrgEncryption): OrgEncryption {
    if (state.keyVersion === null)
      throw new AppError(
        'conflict',
        'The workspace has no key of its own to rotate; switch to the mode `tenant` first.',
      );
    if (state.isSealing)
      throw new AppError(
        'conflict',
        'Content is still being encrypted; rotate the key once that is complete.',
      );
    return state;
  }

  async #newKey(scope: OrgScope, version: number, root: KeyRoot): Promise<PreparedKey> {
    try {
      return await this.#deps.unwrapping.createWorkspaceKey(scope, version, root);
    } catch (error) {
      throw error instanceof KeyServiceError ? keyUnavailable(error) : error;
    }
  }

  /**
   * Encrypts the workspace keys with the master key. Calls the key service even if the keys are cached: a
   * customer who has revoked the key must be able to prevent this change.
   */
  async #wrapWithMaster(scope: OrgScope, workspaceKeys: readonly WorkspaceKey[]) {
    const { unwrapping } = this.#deps;
    try {
      return await Promise.all(
        workspaceKeys
          .filter(({ root }) => root === 'service')
          .map(async (row) => {
            const key: UnwrappedWorkspaceKey = { ...(await unwrapping.unwrap(scope, row)), root: 'master' };
            return { id: row.id, root: key.root, wrappedKey: await unwrapping.wrap(scope, key) };
          }),
      );
    } catch (error) {
      throw error instanceof KeyServiceError ? keyUnavailable(error) : error;
    }
  }

  async #storeFirstKey(scope: OrgScope, key: PreparedKey): Promise<void> {
    await this.#storeKey(scope, key);
    await this.#deps.encryption.update(scope, { sealedSinceVersion: key.version });
  }

  /** Stores the workspace key together with a data key, so that no later write has to create one. */
  async #storeKey(scope: OrgScope, { key, ...row }: PreparedKey): Promise<void> {
    const { encryption, keys, unwrapping } = this.#deps;
    await keys.insert(scope, row);
    await keys.insertDataKey(scope, unwrapping.createDataKey({ ...row, key }));
    await encryption.update(scope, { keyVersion: row.version });
  }
}

function createDefaultState(orgId: string): OrgEncryption {
  return {
    orgId,
    mode: 'platform',
    keyVersion: null,
    sealedSinceVersion: 0,
    switchedAt: null,
    isSealing: false,
    isAllSealed: false,
    tracesSince: null,
    cursor: null,
    resealedRows: 0,
    serviceFailure: null,
    serviceFailedAt: null,
    notifiedFailure: null,
  };
}

function chooseRoot({ mode }: OrgEncryption): KeyRoot {
  return mode === 'tenant' ? 'service' : 'master';
}

/** Returns true if all workspace keys that the customer's key service has encrypted were encrypted again. */
function coversAllServiceKeys(
  rewrapped: readonly { id: string }[],
  workspaceKeys: readonly WorkspaceKey[],
): boolean {
  return workspaceKeys.every(({ id, root }) => root === 'master' || rewrapped.some((key) => key.id === id));
}

function describeProgress(state: OrgEncryption): string[] {
  const { isSealing, tracesSince, resealedRows, serviceFailure, serviceFailedAt } = state;
  return [
    ...(isSealing
      ? [`In progress: ${resealedRows.toLocaleString('en')} texts and files have been converted so far.`]
      : []),
    ...(!isSealing && tracesSince !== null
      ? ['All texts and files are converted. Their old versions are being removed from the database’s files.']
      : []),
    ...(serviceFailure !== null && serviceFailedAt !== null
      ? [
          `The key service has not decrypted the workspace key since ${serviceFailedAt.toISOString()}. Its last response: ${serviceFailure}`,
        ]
      : []),
  ];
}

function createModeChangedError(): AppError {
  return new AppError('conflict', 'The encryption settings have just changed; read them again, then retry.');
}
