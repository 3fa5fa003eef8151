import { AppError } from '../../core/errors/errors.ts';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import { consequences } from '../../core/encryption/consequences.ts';
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
import type { KeyOpening } from './key-opening.ts';
import type { KeyServices } from './key-services.ts';
import { keyUnavailable } from './key-unavailable.ts';
import { nextVersion } from './next-version.ts';
import type { OpenWorkspaceKey } from './opened-keys.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

/** A workspace's encryption as people see it. */
export interface EncryptionView {
  mode: EncryptionMode;
  consequences: readonly string[];
  isSealing: boolean;
  keyCreatedAt: Date | null;
}

/** A key that was made or wrapped anew before the transaction that stores it; its version shows whether anything has come between. */
export type PreparedKey = NewWorkspaceKey & { key: Buffer };

/** What a change of mode takes from outside: a new key, or the present ones wrapped by the master key; null for no change. */
export type PreparedSwitch =
  | { mode: 'tenant'; key: PreparedKey }
  | { mode: 'platform'; rewrapped: Pick<WorkspaceKey, 'id' | 'root' | 'wrappedKey'>[] }
  | null;

export interface EncryptionServiceDeps {
  encryption: OrgEncryptionRepository;
  keys: WorkspaceKeyRepository;
  keyServices: KeyServices;
  opening: KeyOpening;
  contentKeys: WorkspaceContentKeys;
  outbox: OutboxService;
  sealsContent: boolean;
}

/** How a workspace's content is sealed, and with whose key. */
export class EncryptionService {
  readonly #deps: EncryptionServiceDeps;

  constructor(deps: EncryptionServiceDeps) {
    this.#deps = deps;
  }

  /** @param preview whose consequences are told in place of the present mode's */
  async get(scope: OrgScope, preview?: EncryptionMode): Promise<EncryptionView> {
    const state = await this.#state(scope);
    const key = state.keyVersion === null ? null : await this.#deps.keys.find(scope, state.keyVersion);
    return {
      mode: state.mode,
      consequences: [...consequences[preview ?? state.mode], ...progressOf(state)],
      isSealing: state.isSealing || state.tracesSince !== null,
      keyCreatedAt: key?.createdAt ?? null,
    };
  }

  /** @throws AppError `conflict` without a key service; `key_unavailable` where it does not do its part */
  async prepareSwitch(scope: OrgScope, mode: EncryptionMode): Promise<PreparedSwitch> {
    const { keys, keyServices } = this.#deps;
    const state = await this.#state(scope);
    if (state.mode === mode) return null;
    const { workspaceKeys } = await keys.list(scope);
    if (mode === 'platform') return { mode, rewrapped: await this.#wrappedByMaster(scope, workspaceKeys) };
    if ((await keyServices.findConfig(scope)) === null)
      throw new AppError('conflict', 'The workspace has no key service; set settings.key_service first.');
    return { mode, key: await this.#newKey(scope, nextVersion(state, workspaceKeys), 'service') };
  }

  /** In a transaction. Content follows in the background. @throws AppError `conflict` where somebody else has just changed the mode */
  async switch(scope: OrgScope, mode: EncryptionMode, prepared: PreparedSwitch): Promise<EncryptionView> {
    const { encryption, keys } = this.#deps;
    const state = await encryption.lock(scope);
    if (state.mode !== mode) {
      const { workspaceKeys } = await keys.list(scope);
      const version = nextVersion(state, workspaceKeys);
      if (prepared?.mode === 'tenant' && prepared.key.version === version)
        await this.#begin(scope, prepared.key);
      else if (prepared?.mode === 'platform' && isWhole(prepared.rewrapped, workspaceKeys)) {
        for (const key of prepared.rewrapped) await keys.rewrap(scope, key);
        if (!this.#deps.sealsContent)
          await encryption.update(scope, { keyVersion: null, sealedSinceVersion: version - 1 });
      } else throw changedMeanwhile();
      // A walk seals what is readable by now, and nothing that turns up later.
      await encryption.update(scope, { mode, isAllSealed: false });
      await beginReseal(scope, this.#deps);
    }
    return this.get(scope);
  }

  /** @throws AppError `conflict` while there is no key, or content is being sealed; `key_unavailable` */
  async prepareRotation(scope: OrgScope): Promise<PreparedKey> {
    const state = this.#requireRotatable(await this.#state(scope));
    const { workspaceKeys } = await this.#deps.keys.list(scope);
    return this.#newKey(scope, nextVersion(state, workspaceKeys), rootOf(state));
  }

  /** In a transaction; data keys are wrapped by the new key in the background. @throws AppError `conflict` */
  async rotate(scope: OrgScope, prepared: PreparedKey): Promise<EncryptionView> {
    const { encryption, keys } = this.#deps;
    const state = this.#requireRotatable(await encryption.lock(scope));
    const version = nextVersion(state, (await keys.list(scope)).workspaceKeys);
    if (prepared.version !== version || prepared.root !== rootOf(state)) throw changedMeanwhile();
    await this.#store(scope, prepared);
    await beginReseal(scope, this.#deps);
    return this.get(scope);
  }

  async #state(scope: OrgScope): Promise<OrgEncryption> {
    return (await this.#deps.encryption.find(scope)) ?? untouched(scope.orgId);
  }

  #requireRotatable(state: OrgEncryption): OrgEncryption {
    if (state.keyVersion === null)
      throw new AppError(
        'conflict',
        'The workspace has no key of its own to rotate; switch to the mode tenant first.',
      );
    if (state.isSealing)
      throw new AppError('conflict', 'Content is still being sealed; rotate the key once that is done.');
    return state;
  }

  async #newKey(scope: OrgScope, version: number, root: KeyRoot): Promise<PreparedKey> {
    try {
      return await this.#deps.opening.newWorkspaceKey(scope, version, root);
    } catch (error) {
      throw error instanceof KeyServiceError ? keyUnavailable(error) : error;
    }
  }

  /** The service is asked, whatever is open already: who has withdrawn the key has withdrawn this, too. */
  async #wrappedByMaster(scope: OrgScope, workspaceKeys: readonly WorkspaceKey[]) {
    const { opening } = this.#deps;
    try {
      return await Promise.all(
        workspaceKeys
          .filter(({ root }) => root === 'service')
          .map(async (row) => {
            const key: OpenWorkspaceKey = { ...(await opening.unwrap(scope, row)), root: 'master' };
            return { id: row.id, root: key.root, wrappedKey: await opening.wrap(scope, key) };
          }),
      );
    } catch (error) {
      throw error instanceof KeyServiceError ? keyUnavailable(error) : error;
    }
  }

  async #begin(scope: OrgScope, key: PreparedKey): Promise<void> {
    await this.#store(scope, key);
    await this.#deps.encryption.update(scope, { sealedSinceVersion: key.version });
  }

  /** With a data key, so that nobody has to make one in the midst of something. */
  async #store(scope: OrgScope, { key, ...row }: PreparedKey): Promise<void> {
    const { encryption, keys, opening } = this.#deps;
    await keys.insert(scope, row);
    await keys.insertDataKey(scope, opening.newDataKey({ ...row, key }));
    await encryption.update(scope, { keyVersion: row.version });
  }
}

function untouched(orgId: string): OrgEncryption {
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
    toldFailure: null,
  };
}

function rootOf({ mode }: OrgEncryption): KeyRoot {
  return mode === 'tenant' ? 'service' : 'master';
}

/** Whether none of the keys would stay with the tenant's service. */
function isWhole(rewrapped: readonly { id: string }[], workspaceKeys: readonly WorkspaceKey[]): boolean {
  return workspaceKeys.every(({ id, root }) => root === 'master' || rewrapped.some((key) => key.id === id));
}

function progressOf(state: OrgEncryption): string[] {
  const { isSealing, tracesSince, resealedRows, serviceFailure, serviceFailedAt } = state;
  return [
    ...(isSealing
      ? [`Under way: ${resealedRows.toLocaleString('en')} texts and files have been converted so far.`]
      : []),
    ...(!isSealing && tracesSince !== null
      ? [
          'All texts and files are converted. Their former versions are being removed from the database’s files.',
        ]
      : []),
    ...(serviceFailure !== null && serviceFailedAt !== null
      ? [
          `The key service has not opened the key since ${serviceFailedAt.toISOString()}. It said last: ${serviceFailure}`,
        ]
      : []),
  ];
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', 'Somebody else has just changed this; look at it again.');
}
