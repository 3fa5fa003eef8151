import { Type } from '@sinclair/typebox';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsKmsConfig } from '../../../core/encryption/key-service-config.ts';
import type { OutboundClient } from '../../http/outbound-client.ts';
import { callKeyService, WrappedKey } from './call-key-service.ts';
import type { KeyContext, KeyService } from './key-service.ts';

export interface AwsCredentials {
  access_key_id: string;
  secret_access_key: string;
}

const Wrapped = Type.Object({ CiphertextBlob: WrappedKey });
const Unwrapped = Type.Object({ Plaintext: Type.String() });

/** Matches the errors by which AWS KMS reports temporary failures with status 400. */
const TRANSIENT = /Throttl|LimitExceeded|RequestExpired|DependencyTimeout|KMSInternal|KeyUnavailable/;

/** Encrypts the keys of workspaces with a key in AWS Key Management Service (KMS). */
export class AwsKms implements KeyService {
  readonly #client: OutboundClient;
  readonly #config: AwsKmsConfig;
  readonly #endpoint: URL;
  readonly #signer: SignatureV4;

  /** @param endpoint URL to use instead of the default URL of the AWS region */
  constructor(
    client: OutboundClient,
    config: AwsKmsConfig,
    credentials: AwsCredentials,
    endpoint: string | undefined,
  ) {
    this.#client = client;
    this.#config = config;
    this.#endpoint = new URL(endpoint ?? `https://kms.${config.region}.amazonaws.com`);
    this.#signer = new SignatureV4({
      service: 'kms',
      region: config.region,
      credentials: {
        accessKeyId: credentials.access_key_id,
        secretAccessKey: credentials.secret_access_key,
      },
      sha256: Hash.bind(null, 'sha256'),
    });
  }

  async wrap(key: Buffer, context: KeyContext): Promise<string> {
    const request = { Plaintext: key.toString('base64'), ...this.#buildContext(context) };
    return (await this.#callKms('Encrypt', request, Wrapped)).CiphertextBlob;
  }

  async unwrap(wrapped: string, context: KeyContext): Promise<Buffer> {
    const request = { CiphertextBlob: wrapped, ...this.#buildContext(context) };
    return Buffer.from((await this.#callKms('Decrypt', request, Unwrapped)).Plaintext, 'base64');
  }

  /** Does nothing: the configured AWS credentials do not expire. */
  async renew(): Promise<void> {}

  #buildContext({ orgId, version }: KeyContext) {
    return {
      KeyId: this.#config.key_arn,
      EncryptionContext: { 'parley:workspace': orgId, 'parley:version': String(version) },
    };
  }

  async #callKms<S extends typeof Wrapped | typeof Unwrapped>(
    act: 'Encrypt' | 'Decrypt',
    payload: object,
    schema: S,
  ) {
    const { protocol, hostname, port, host } = this.#endpoint;
    const body = JSON.stringify(payload);
    const signed = await this.#signer.sign({
      method: 'POST',
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: '/',
      query: {},
      headers: { host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${act}` },
      body,
    });
    const { host: _, ...headers } = signed.headers;
    const isPassing = (_status: number, text: string) => TRANSIENT.test(text);
    return callKeyService(this.#client, { url: this.#endpoint.href, headers, body }, schema, isPassing);
  }
}
