import { KeyServiceError, type KeyPlace, type KeyService } from '../../adapters/keys/services/key-service.ts';
import { newKey } from '../../adapters/keys/data-key.ts';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import type { OrgRole } from '../../entities/team/membership.entity.ts';
import type { OrgEncryptionRepository } from '../../repositories/encryption/org-encryption.repository.ts';
import type { WorkspaceKeyRepository } from '../../repositories/encryption/workspace-key.repository.ts';
import type { MemberScope } from '../team/member-scope.ts';
import { requireRole } from '../team/roles.ts';
import { readKeyService, type GivenKeyService, type KeyServiceInput } from './key-service-input.ts';
import { NO_FAILURE } from './judge-key-answer.ts';
import type { KeyServices } from './key-services.ts';
import type { WorkspaceContentKeys } from './workspace-content-keys.ts';

/** A key service that was tried, and the workspace's keys wrapped by it; null where it is to be removed. */
export type TriedKeyService = (GivenKeyService & { rewrapped: RewrappedKey[] }) | null;

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

/** The service with which a workspace holds its own key, as its owner sets it. */
export class KeyServiceSettings {
  readonly #deps: KeyServiceSettingsDeps;

  constructor(deps: KeyServiceSettingsDeps) {
    this.#deps = deps;
  }

  /** Without what is secret. */
  find(scope: OrgScope): Promise<KeyServiceConfig | null> {
    return this.#deps.keyServices.findConfig(scope);
  }

  /**
   * Tries it, before anything is written, and has it wrap the keys that the present one wraps.
   * @throws AppError `forbidden`; `url_refused`; `validation_error` where it does not do its part; `key_unavailable` where the
   *   present one does not
   */
  async try(scope: MemberScope & { role: OrgRole }, input: KeyServiceInput | null): Promise<TriedKeyService> {
    if (scope.keyId !== null)
      throw new AppError(
        'forbidden',
        'Only somebody who is signed in can set a key service; an API key cannot.',
      );
    requireRole(scope.role, 'owner');
    if (input === null) return null;
    const given = readKeyService(input);
    if (given.config.type === 'vault_transit') await this.#deps.outbound.checkUrl(given.config.url);
    const service = this.#deps.keyServices.serviceOf(given.config, given.credentials);
    await goAndComeBack(scope, service);
    return { ...given, rewrapped: await this.#wrappedBy(scope, service) };
  }

  /** In a transaction. @throws AppError `conflict` for removing one that keys are wrapped by, or where these have changed meanwhile */
  async set(scope: OrgScope, tried: TriedKeyService): Promise<void> {
    const { encryption, keys, keyServices } = this.#deps;
    await encryption.lock(scope);
    await encryption.update(scope, NO_FAILURE);
    const { workspaceKeys } = await keys.list(scope);
    const held = workspaceKeys.filter(({ root }) => root === 'service');
    if (tried === null) {
      if (held.length > 0)
        throw new AppError(
          'conflict',
          'Content is sealed with the key of this service; switch to the mode platform first.',
        );
      return keyServices.delete(scope);
    }
    if (!held.every(({ id }) => tried.rewrapped.some((key) => key.id === id))) throw changedMeanwhile();
    await keyServices.save(scope, tried.config, tried.credentials);
    for (const key of tried.rewrapped) await keys.rewrap(scope, key);
  }

  /** Once it is committed. */
  forget(orgId: string): void {
    this.#deps.contentKeys.forget(orgId);
  }

  async #wrappedBy(scope: OrgScope, service: KeyService): Promise<RewrappedKey[]> {
    const { workspaceKeys } = await this.#deps.keys.list(scope);
    const held = workspaceKeys.filter(({ root }) => root === 'service');
    return Promise.all(
      held.map(async ({ id, version, wrappedKey }) => {
        const place = { orgId: scope.orgId, version };
        // Where only the credentials are others, those of before may have run out.
        const isOpened = await service.unwrap(wrappedKey, place).then(() => true, isNoKeyOfIts);
        const wrapped = isOpened ? wrappedKey : await this.#wrap(place, id, service);
        return { id, root: 'service' as const, wrappedKey: wrapped };
      }),
    );
  }

  /** @throws AppError `key_unavailable` where the present service does not open the key */
  async #wrap(place: KeyPlace, id: string, service: KeyService): Promise<string> {
    const opened = await this.#deps.contentKeys.workspaceKeys(place.orgId);
    const found = opened.find((each) => each.id === id);
    if (!found) throw changedMeanwhile();
    return service.wrap(found.key, place).catch(asRefusal);
  }
}

function isNoKeyOfIts(error: unknown): false {
  if (error instanceof KeyServiceError) return false;
  throw error;
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', 'The workspace’s key has just been changed; try again.');
}

/** A key there and back, for this workspace. @throws AppError `url_refused`, `validation_error` */
async function goAndComeBack({ orgId }: OrgScope, service: KeyService): Promise<void> {
  const place = { orgId, version: 0 };
  const key = newKey();
  const back = await service
    .wrap(key, place)
    .then((wrapped) => service.unwrap(wrapped, place))
    .catch(asRefusal);
  if (!back.equals(key))
    throw invalidField('settings.key_service', 'does not open what it has wrapped itself');
}

function asRefusal(error: unknown): never {
  if (!(error instanceof KeyServiceError)) throw error;
  if (error.failure === 'url_refused') throw new AppError('url_refused', error.message, { cause: error });
  throw invalidField(
    'settings.key_service',
    `cannot be used: ${error.message.replace(/\.$/, '')}`,
    'body',
    error,
  );
}
