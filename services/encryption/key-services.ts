import { AwsKms, type AwsCredentials } from '../../adapters/keys/services/aws-kms.ts';
import { KeyServiceError, type KeyService } from '../../adapters/keys/services/key-service.ts';
import { VaultTransit, type VaultCredentials } from '../../adapters/keys/services/vault-transit.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { OutboundClient } from '../../adapters/http/outbound-client.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import type { KeyServiceRepository } from '../../repositories/encryption/key-service.repository.ts';

export type KeyServiceCredentials = VaultCredentials | AwsCredentials;

export interface KeyServicesDeps {
  rows: KeyServiceRepository;
  keyring: Keyring;
  /** HTTP client for calls to key services, which allows HTTPS only. */
  outbound: OutboundClient;
  settings: Pick<Settings, 'awsKmsUrl'>;
}

/** Creates clients for the key services in which workspaces hold their own keys. */
export class KeyServices {
  readonly #deps: KeyServicesDeps;

  constructor(deps: KeyServicesDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a client for the workspace's key service. @throws KeyServiceError if the workspace has no key
   * service
   */
  async get(scope: OrgScope): Promise<KeyService> {
    const { rows, keyring } = this.#deps;
    const row = await rows.find(scope);
    if (!row) throw new KeyServiceError('refused', 'The workspace no longer has a key service.');
    const credentials = JSON.parse(
      keyring.open(row.sealedCredentials, buildCredentialsContext(scope.orgId)),
    ) as KeyServiceCredentials;
    return this.createService(row.config, credentials);
  }

  /** Returns the key service's configuration without credentials; null if the workspace has none. */
  async findConfig(scope: OrgScope): Promise<KeyServiceConfig | null> {
    return (await this.#deps.rows.find(scope))?.config ?? null;
  }

  createService(config: KeyServiceConfig, credentials: KeyServiceCredentials): KeyService {
    const { outbound, settings } = this.#deps;
    return config.type === 'vault_transit'
      ? new VaultTransit(outbound, config, credentials as VaultCredentials)
      : new AwsKms(outbound, config, credentials as AwsCredentials, settings.awsKmsUrl);
  }

  async save(scope: OrgScope, config: KeyServiceConfig, credentials: KeyServiceCredentials): Promise<void> {
    const { rows, keyring } = this.#deps;
    const sealedCredentials = keyring.seal(JSON.stringify(credentials), buildCredentialsContext(scope.orgId));
    await rows.save(scope, { config, sealedCredentials });
  }

  delete(scope: OrgScope): Promise<void> {
    return this.#deps.rows.delete(scope);
  }
}

function buildCredentialsContext(orgId: string): string {
  return `key_services.sealed_credentials:${orgId}`;
}
