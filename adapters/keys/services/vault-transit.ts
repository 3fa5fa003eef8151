import { Type } from '@sinclair/typebox';
import type { VaultTransitConfig } from '../../../core/encryption/key-service-config.ts';
import type { OutboundClient } from '../../http/outbound-client.ts';
import { callKeyService, WrappedKey } from './call-key-service.ts';
import type { KeyContext, KeyService } from './key-service.ts';

export interface VaultCredentials {
  token: string;
}

const Wrapped = Type.Object({ data: Type.Object({ ciphertext: WrappedKey }) });
const Unwrapped = Type.Object({ data: Type.Object({ plaintext: Type.String() }) });
const Anything = Type.Object({});

/**
 * HTTP statuses with which Vault reports a temporary failure: of a standby node, or of a node that lags
 * behind.
 */
const TRANSIENT = new Set([412, 472, 473]);

/** Encrypts the keys of workspaces with a key in the transit engine of HashiCorp Vault or OpenBao. */
export class VaultTransit implements KeyService {
  readonly #client: OutboundClient;
  readonly #config: VaultTransitConfig;
  readonly #credentials: VaultCredentials;

  constructor(client: OutboundClient, config: VaultTransitConfig, credentials: VaultCredentials) {
    this.#client = client;
    this.#config = config;
    this.#credentials = credentials;
  }

  async wrap(key: Buffer, context: KeyContext): Promise<string> {
    const plaintext = key.toString('base64');
    const { data } = await this.#callVault(
      this.#buildTransitPath('encrypt'),
      { plaintext, ...buildAssociatedData(context) },
      Wrapped,
    );
    return data.ciphertext;
  }

  async unwrap(ciphertext: string, context: KeyContext): Promise<Buffer> {
    const { data } = await this.#callVault(
      this.#buildTransitPath('decrypt'),
      { ciphertext, ...buildAssociatedData(context) },
      Unwrapped,
    );
    return Buffer.from(data.plaintext, 'base64');
  }

  async renew(): Promise<void> {
    await this.#callVault('auth/token/renew-self', {}, Anything);
  }

  #buildTransitPath(act: 'encrypt' | 'decrypt'): string {
    const { mount, key_name: key } = this.#config;
    return `${mount}/${act}/${encodeURIComponent(key)}`;
  }

  #callVault<S extends typeof Wrapped | typeof Unwrapped | typeof Anything>(
    path: string,
    body: object,
    schema: S,
  ) {
    const { url, namespace } = this.#config;
    const headers = {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      'x-vault-token': this.#credentials.token,
      ...(namespace !== null && { 'x-vault-namespace': namespace }),
    };
    const call = { url: `${url.replace(/\/+$/, '')}/v1/${path}`, headers, body: JSON.stringify(body) };
    return callKeyService(this.#client, call, schema, (status) => TRANSIENT.has(status));
  }
}

function buildAssociatedData({ orgId, version }: KeyContext): { associated_data: string } {
  return { associated_data: Buffer.from(`parley/${orgId}/${version}`).toString('base64') };
}
