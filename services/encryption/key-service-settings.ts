import {
  KeyServiceError,
  type KeyContext,
  type KeyService,
} from '../../adapters/keys/services/key-service.ts';
import { generateKey } from '../../adapters/keys/data-key.ts';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import type { MemberScope } from '../team/member-scope.ts';
import { requireRole } from '../team/roles.ts';
import { parseKeyService, type ParsedKeyService, type KeyServiceInput } from './key-service-input.ts';
import { NO_FAILURE } from './key-service-transition.ts';
import type { KeyServices } from './key-services.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

/**
 * A workspace's key service that passed its test, and the workspace's keys encrypted by it. Null removes the
 * key service.
 */
export type TestedKeyService = (ParsedKeyService & { rewrapped: RewrappedKey[] }) | null;

interface RewrappedKey {
  id: string;
  root: 'service';
  wrappedKey: string;
}

export interface KeyServiceSettingsDeps {
  encryption: OrgEncryptionRepository;
  keys: WorkspaceKeyRepository;
  keyServices: KeyServices;
  contentKeys: WorkspaceContentKeys;
  outbound: Pick<OutboundClient, 'checkUrl'>;
}

const URL_FIELD = 'settings.key_service.url';

/** Manages key service settings of workspaces. Only owners can change them. */
export class KeyServiceSettings {
  readonly #deps: KeyServiceSettingsDeps;

  constructor(deps: KeyServiceSettingsDeps) {
    this.#deps = deps;
  }

  /** Returns the key service's configuration without credentials; null if the workspace has none. */
  find(scope: OrgScope): Promise<KeyServiceConfig | null> {
    return this.#deps.keyServices.findConfig(scope);
  }

  /**
   * Tests a workspace's key service before its settings are stored. The new service then encrypts all keys
   * that the current service has encrypted.
   * @throws AppError `forbidden`; `url_refused`; `validation_error` if the new service does not work;
   *   `key_unavailable` if the current service does not
   */
  async testService(
    scope: MemberScope & { role: OrgRole },
    input: KeyServiceInput | null,
  ): Promise<TestedKeyService> {
    if (scope.keyId !== null)
      throw new AppError('forbidden', 'Only a signed-in owner can set a key service; an API key cannot.', {
        subject: 'signed-in person',
      });
    requireRole(scope.role, 'owner');
    if (input === null) return null;
    const parsed = parseKeyService(input);
    if (parsed.config.type === 'vault_transit')
      await this.#deps.outbound.checkUrl(parsed.config.url, { field: URL_FIELD });
    const service = this.#deps.keyServices.createService(parsed.config, parsed.credentials);
    await assertRoundTrip(scope, service);
    return { ...parsed, rewrapped: await this.#wrapKeys(scope, service) };
  }

  /**
   * Stores the settings of a tested key service in the caller's transaction.
   * @throws AppError `conflict` if a removed service is still needed by keys, or if keys have changed since
   *   the test
   */
  async set(scope: OrgScope, tested: TestedKeyService): Promise<void> {
    const { encryption, keys, keyServices } = this.#deps;
    await encryption.lock(scope);
    await encryption.update(scope, NO_FAILURE);
    const { workspaceKeys } = await keys.list(scope);
    const serviceKeys = workspaceKeys.filter(({ root }) => root === 'service');
    if (tested === null) {
      if (serviceKeys.length > 0)
        throw new AppError(
          'conflict',
          'Content is encrypted with the key of this service; switch to the mode `platform` first.',
        );
      return keyServices.delete(scope);
    }
    if (!serviceKeys.every(({ id }) => tested.rewrapped.some((key) => key.id === id)))
      throw createKeyChangedError();
    await keyServices.save(scope, tested.config, tested.credentials);
    for (const key of tested.rewrapped) await keys.rewrap(scope, key);
  }

  /** Removes the workspace's keys from the cache. Call this after the commit. */
  forget(orgId: string): void {
    this.#deps.contentKeys.forget(orgId);
  }

  async #wrapKeys(scope: OrgScope, service: KeyService): Promise<RewrappedKey[]> {
    const { workspaceKeys } = await this.#deps.keys.list(scope);
    const serviceKeys = workspaceKeys.filter(({ root }) => root === 'service');
    return Promise.all(
      serviceKeys.map(async ({ id, version, wrappedKey }) => {
        const keyPlace = { orgId: scope.orgId, version };
        // Keeps the encrypted key if the new service can decrypt it. If only the credentials changed, it can.
        // The old credentials may have expired.
        const canUnwrap = await service.unwrap(wrappedKey, keyPlace).then(() => true, falseIfKeyServiceError);
        const wrapped = canUnwrap ? wrappedKey : await this.#wrapKey(keyPlace, id, service);
        return { id, root: 'service' as const, wrappedKey: wrapped };
      }),
    );
  }

  /**
   * Encrypts a workspace key with the new key service.
   * @throws AppError `key_unavailable` if the current service does not unwrap the key
   */
  async #wrapKey(place: KeyContext, id: string, service: KeyService): Promise<string> {
    const workspaceKeys = await this.#deps.contentKeys.workspaceKeys(place.orgId);
    const found = workspaceKeys.find((each) => each.id === id);
    if (!found) throw createKeyChangedError();
    return service.wrap(found.key, place).catch(throwInvalidSettings);
  }
}

function falseIfKeyServiceError(error: unknown): false {
  if (error instanceof KeyServiceError) return false;
  throw error;
}

function createKeyChangedError(): AppError {
  return new AppError('conflict', 'The workspace’s key has just been changed; try again.');
}

/**
 * Encrypts and decrypts a test key with the key service; throws if the result differs.
 * @throws AppError `url_refused`; `validation_error` if the result is wrong
 */
async function assertRoundTrip({ orgId }: OrgScope, service: KeyService): Promise<void> {
  const keyPlace = { orgId, version: 0 };
  const key = generateKey();
  const unwrapped = await service
    .wrap(key, keyPlace)
    .then((wrapped) => service.unwrap(wrapped, keyPlace))
    .catch(throwInvalidSettings);
  if (!unwrapped.equals(key))
    throw invalidField('settings.key_service', 'cannot decrypt a value that it has encrypted');
}

function throwInvalidSettings(error: unknown): never {
  if (!(error instanceof KeyServiceError)) throw error;
  if (error.failure === 'url_refused')
    throw new AppError('url_refused', error.message, {
      cause: error,
      details: [{ field: URL_FIELD, in: 'body', code: 'url_refused', message: error.message }],
    });
  throw invalidField(
    'settings.key_service',
    `cannot be used: ${error.message.replace(/\.$/, '')}`,
    'body',
    error,
  );
}
