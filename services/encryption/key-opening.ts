import type { Keyring } from '../../adapters/keys/keyring.ts';
import { DataKey, newKey } from '../../adapters/keys/data-key.ts';
import { openValue, sealValue } from '../../adapters/keys/sealed-value.ts';
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
import type { OpenedKeys, OpenWorkspaceKey } from './opened-keys.ts';
import type { RefusedValues } from './refused-values.ts';

export interface KeyOpeningDeps {
  keys: WorkspaceKeyRepository;
  services: KeyServices;
  keyring: Keyring;
  clock: Clock;
  refusedValues: RefusedValues;
}

/** Opens and wraps keys: data keys by the workspace key, and that by the root. */
export class KeyOpening {
  readonly #deps: KeyOpeningDeps;

  constructor(deps: KeyOpeningDeps) {
    this.#deps = deps;
  }

  /**
   * Opens all keys that there are, and makes the one of this month where the newest workspace key has none.
   * @param known workspace keys that are open already
   * @throws KeyServiceError where the workspace's service does not open its key
   */
  async open(scope: OrgScope, known: readonly OpenWorkspaceKey[] = []): Promise<OpenedKeys> {
    const { keys } = this.#deps;
    const { workspaceKeys: rows, dataKeys } = await keys.list(scope);
    const [newest] = rows;
    const used = rows.filter(
      (row) => row === newest || dataKeys.some(({ workspaceKeyId }) => workspaceKeyId === row.id),
    );
    const workspaceKeys = await Promise.all(
      used.map(
        async (row) =>
          known.find(({ id, root }) => id === row.id && root === row.root) ?? this.unwrap(scope, row),
      ),
    );
    const month = this.#month();
    const how = { month, refused: this.#deps.refusedValues.add };
    if (!newest || dataKeys.some((row) => row.madeVersion === newest.version && row.month === month))
      return openedOf(workspaceKeys, dataKeys, how);
    await keys.insertDataKey(scope, this.newDataKey(workspaceKeys[0]!));
    return openedOf(workspaceKeys, (await keys.list(scope)).dataKeys, how);
  }

  /** A key of the next version, wrapped by the root. @throws KeyServiceError */
  async newWorkspaceKey(
    scope: OrgScope,
    version: number,
    root: KeyRoot,
  ): Promise<NewWorkspaceKey & { key: Buffer }> {
    const made = { id: newId(), version, root, key: newKey() };
    return { ...made, wrappedKey: await this.wrap(scope, made) };
  }

  /** @throws KeyServiceError */
  async wrap(scope: OrgScope, { id, version, root, key }: OpenWorkspaceKey): Promise<string> {
    if (root === 'master') return this.#deps.keyring.seal(key.toString('base64'), placeOf(id));
    const service = await this.#deps.services.get(scope);
    return service.wrap(key, { orgId: scope.orgId, version });
  }

  /** What content is sealed with this month under the workspace key. */
  newDataKey(workspaceKey: OpenWorkspaceKey): NewDataKey {
    const id = newId();
    const key = newKey();
    return {
      id,
      workspaceKeyId: workspaceKey.id,
      madeVersion: workspaceKey.version,
      month: this.#month(),
      wrappedKey: wrappedBy(workspaceKey, id, key),
      commitment: new DataKey(id, key).commitment,
    };
  }

  /** @throws KeyServiceError */
  async unwrap(
    scope: OrgScope,
    { id, orgId, version, root, wrappedKey }: WorkspaceKey,
  ): Promise<OpenWorkspaceKey> {
    const { keyring, services } = this.#deps;
    const key =
      root === 'master'
        ? Buffer.from(keyring.open(wrappedKey, placeOf(id)), 'base64')
        : await (await services.get(scope)).unwrap(wrappedKey, { orgId, version });
    return { id, version, root, key };
  }

  #month(): string {
    return `${this.#deps.clock.now().toISOString().slice(0, 7)}-01`;
  }
}

/** The data key wrapped by another workspace key. */
export function rewrapped(row: DataKeyRow, from: OpenWorkspaceKey, to: OpenWorkspaceKey) {
  const key = openValue(from.key, Buffer.from(row.wrappedKey, 'base64url'), dataPlaceOf(row.id));
  return { id: row.id, workspaceKeyId: to.id, wrappedKey: wrappedBy(to, row.id, key) };
}

function openedOf(
  workspaceKeys: readonly OpenWorkspaceKey[],
  rows: readonly DataKeyRow[],
  { month, refused }: { month: string; refused: () => void },
): OpenedKeys {
  const dataKeys = new Map<string, DataKey>();
  const current = new Map<number, DataKey>();
  for (const row of rows) {
    const by = workspaceKeys.find(({ id }) => id === row.workspaceKeyId);
    if (!by) continue;
    const opened = openedDataKey(by, row, refused);
    dataKeys.set(row.id, opened);
    if (row.month === month) current.set(row.madeVersion, opened);
  }
  return { workspaceKeys, dataKeys, current };
}

/** @throws Error for one that somebody has changed, or put in the place of another */
function openedDataKey(
  by: OpenWorkspaceKey,
  { id, wrappedKey, commitment }: DataKeyRow,
  refused: () => void,
): DataKey {
  try {
    const key = openValue(by.key, Buffer.from(wrappedKey, 'base64url'), dataPlaceOf(id));
    const opened = new DataKey(id, key, refused);
    opened.assertCommitment(commitment);
    return opened;
  } catch (error) {
    refused();
    throw error;
  }
}

function wrappedBy({ key: by }: OpenWorkspaceKey, id: string, key: Buffer): string {
  return sealValue(by, key, dataPlaceOf(id)).toString('base64url');
}

const placeOf = (id: string) => `workspace_keys.wrapped_key:${id}`;
const dataPlaceOf = (id: string) => `data_keys.wrapped_key:${id}`;
