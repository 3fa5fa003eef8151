import type { Keyring } from '../../adapters/keys/keyring.ts';
import { DataKey, generateKey } from '../../adapters/keys/data-key.ts';
import { decryptValue, sealValue } from '../../adapters/keys/sealed-value.ts';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import type { Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { KeyRoot, WorkspaceKey, DataKeyRow } from '../../entities/encryption/workspace-key.entity.ts';
import type {
  NewDataKey,
  NewWorkspaceKey,
  WorkspaceKeyRepository,
} from '../../repositories/encryption/workspace-key.repository.ts';
import type { KeyServices } from './key-services.ts';
import type { UnwrappedKeys, UnwrappedWorkspaceKey } from './unwrapped-keys.ts';
import type { UndecryptableValueCounter } from './undecryptable-value-counter.ts';

export interface KeyUnwrappingDeps {
  keys: WorkspaceKeyRepository;
  services: KeyServices;
  keyring: Keyring;
  clock: Clock;
  undecryptableValues: UndecryptableValueCounter;
}

/**
 * Encrypts and decrypts ("wraps" and "unwraps") keys. The root, which is the master key or a key service,
 * wraps workspace keys. A workspace key wraps data keys.
 */
export class KeyUnwrapping {
  readonly #deps: KeyUnwrappingDeps;

  constructor(deps: KeyUnwrappingDeps) {
    this.#deps = deps;
  }

  /**
   * Decrypts all keys of the workspace. Creates this month's data key if it is missing for the newest
   * workspace key.
   * @param known workspace keys that are already unwrapped
   * @throws KeyServiceError if the key service does not unwrap a key
   */
  async unwrapAll(scope: OrgScope, known: readonly UnwrappedWorkspaceKey[] = []): Promise<UnwrappedKeys> {
    const { keys } = this.#deps;
    const { workspaceKeys: rows, dataKeys } = await keys.list(scope);
    const [newest] = rows;
    const usedRows = rows.filter(
      (row) => row === newest || dataKeys.some(({ workspaceKeyId }) => workspaceKeyId === row.id),
    );
    const workspaceKeys = await Promise.all(
      usedRows.map(
        async (row) =>
          known.find(({ id, root }) => id === row.id && root === row.root) ?? this.unwrap(scope, row),
      ),
    );
    const month = this.#month();
    const options = { month, onRefused: this.#deps.undecryptableValues.add };
    // Unwrap before creating a data key: a key service that returned another key would make the new one useless.
    const unwrapped = unwrapDataKeys(workspaceKeys, dataKeys, options);
    if (!newest || dataKeys.some((row) => row.madeVersion === newest.version && row.month === month))
      return unwrapped;
    await keys.insertDataKey(scope, this.createDataKey(workspaceKeys[0]!));
    return unwrapDataKeys(workspaceKeys, (await keys.list(scope)).dataKeys, options);
  }

  /**
   * Creates a workspace key, which the master key or the key service encrypts.
   * @throws KeyServiceError
   */
  async createWorkspaceKey(
    scope: OrgScope,
    version: number,
    root: KeyRoot,
  ): Promise<NewWorkspaceKey & { key: Buffer }> {
    const workspaceKey = { id: newId(), version, root, key: generateKey() };
    return { ...workspaceKey, wrappedKey: await this.wrap(scope, workspaceKey) };
  }

  /**
   * Encrypts a workspace key with its root: the master key or the key service.
   * @throws KeyServiceError
   */
  async wrap(scope: OrgScope, { id, version, root, key }: UnwrappedWorkspaceKey): Promise<string> {
    if (root === 'master')
      return this.#deps.keyring.seal(key.toString('base64'), buildWorkspaceKeyContext(id));
    const service = await this.#deps.services.get(scope);
    return service.wrap(key, { orgId: scope.orgId, version });
  }

  /** Creates a data key for this month, encrypted by the workspace key. */
  createDataKey(workspaceKey: UnwrappedWorkspaceKey): NewDataKey {
    const id = newId();
    const key = generateKey();
    return {
      id,
      workspaceKeyId: workspaceKey.id,
      madeVersion: workspaceKey.version,
      month: this.#month(),
      wrappedKey: wrapDataKey(workspaceKey, id, key),
      commitment: new DataKey(id, key).commitment,
    };
  }

  /**
   * Decrypts a workspace key with its root: the master key or the key service.
   * @throws KeyServiceError
   */
  async unwrap(
    scope: OrgScope,
    { id, orgId, version, root, wrappedKey }: WorkspaceKey,
  ): Promise<UnwrappedWorkspaceKey> {
    const { keyring, services } = this.#deps;
    const key =
      root === 'master'
        ? Buffer.from(keyring.open(wrappedKey, buildWorkspaceKeyContext(id)), 'base64')
        : await (await services.get(scope)).unwrap(wrappedKey, { orgId, version });
    return { id, version, root, key };
  }

  #month(): string {
    return `${this.#deps.clock.now().toISOString().slice(0, 7)}-01`;
  }
}

/** Decrypts a data key with one workspace key, and encrypts it with another. */
export function rewrapDataKey(row: DataKeyRow, from: UnwrappedWorkspaceKey, to: UnwrappedWorkspaceKey) {
  const key = decryptValue(from.key, Buffer.from(row.wrappedKey, 'base64url'), buildDataKeyContext(row.id));
  return { id: row.id, workspaceKeyId: to.id, wrappedKey: wrapDataKey(to, row.id, key) };
}

function unwrapDataKeys(
  workspaceKeys: readonly UnwrappedWorkspaceKey[],
  rows: readonly DataKeyRow[],
  { month, onRefused }: { month: string; onRefused: () => void },
): UnwrappedKeys {
  const dataKeys = new Map<string, DataKey>();
  const current = new Map<number, DataKey>();
  for (const row of rows) {
    const workspaceKey = workspaceKeys.find(({ id }) => id === row.workspaceKeyId);
    if (!workspaceKey) continue;
    const dataKey = unwrapDataKey(workspaceKey, row, onRefused);
    dataKeys.set(row.id, dataKey);
    if (row.month === month) current.set(row.madeVersion, dataKey);
  }
  return { workspaceKeys, dataKeys, current };
}

/**
 * Unwraps a data key.
 * @throws Error if its row was changed, or swapped with another row; KeyServiceError if the workspace key, which may
 *   then be the wrong one, comes from a key service
 */
function unwrapDataKey(
  by: UnwrappedWorkspaceKey,
  { id, wrappedKey, commitment }: DataKeyRow,
  onRefused: () => void,
): DataKey {
  try {
    const key = decryptValue(by.key, Buffer.from(wrappedKey, 'base64url'), buildDataKeyContext(id));
    const dataKey = new DataKey(id, key, onRefused);
    dataKey.assertCommitment(commitment);
    return dataKey;
  } catch (error) {
    onRefused();
    if (by.root === 'master') throw error;
    throw new KeyServiceError('unreachable', 'The key service returned a different key than before.', {
      cause: error,
    });
  }
}

function wrapDataKey({ key: by }: UnwrappedWorkspaceKey, id: string, key: Buffer): string {
  return sealValue(by, key, buildDataKeyContext(id)).toString('base64url');
}

const buildWorkspaceKeyContext = (id: string) => `workspace_keys.wrapped_key:${id}`;
const buildDataKeyContext = (id: string) => `data_keys.wrapped_key:${id}`;
