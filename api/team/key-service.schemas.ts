import { Type, type Static } from '@sinclair/typebox';
import { keyServiceTypes } from '../../core/encryption/key-service-config.ts';
import { Nullable, StringEnum, Strict } from '../http/schemas/schemas.ts';

const type = StringEnum(keyServiceTypes, {
  description:
    'vault_transit: a key in a transit engine of HashiCorp Vault or OpenBao. aws_kms: a key in AWS Key Management Service.',
});
const url = Type.String({
  maxLength: 2000,
  pattern: String.raw`^https?://[^\s/?#@]+(/[^\s?#]*)?$`,
  description: 'URL of the Vault server (vault_transit).',
  examples: ['https://vault.example.com'],
});
const mount = Type.String({
  maxLength: 200,
  pattern: '^[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*$',
  description: 'Mount path of the transit engine (vault_transit); `transit` by default.',
  examples: ['transit'],
});
const keyName = Type.String({
  maxLength: 200,
  pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]*$',
  description: 'Name of the key (vault_transit).',
  examples: ['parley'],
});
const namespace = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[A-Za-z0-9_/-]+$',
  description: 'Vault namespace (vault_transit).',
  examples: ['admin'],
});
const keyArn = Type.String({
  maxLength: 400,
  pattern: String.raw`^arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:(key|alias)/[A-Za-z0-9/_-]+$`,
  description: 'The ARN of the key (aws_kms).',
  examples: ['arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'],
});
const region = Type.String({
  maxLength: 40,
  pattern: '^[a-z]{2}(-[a-z]+)+-[0-9]$',
  description: 'AWS region of the key (aws_kms).',
  examples: ['eu-central-1'],
});
const secret = (description: string, serviceType: string) =>
  Type.String({
    minLength: 1,
    maxLength: 4000,
    pattern: '^[!-~]+$',
    description: `${description} (${serviceType}); stored encrypted and never returned.`,
  });

/**
 * All fields of a key service are optional here; KeyServices checks which fields each type of key service
 * requires.
 */
export const KeyServiceUpdate = Strict(
  {
    type,
    url: Type.Optional(url),
    mount: Type.Optional(mount),
    key_name: Type.Optional(keyName),
    namespace: Type.Optional(Nullable(namespace)),
    token: Type.Optional(secret('A token that may encrypt and decrypt with the key', 'vault_transit')),
    key_arn: Type.Optional(keyArn),
    region: Type.Optional(region),
    access_key_id: Type.Optional(secret('Id of an access key that may use the key', 'aws_kms')),
    secret_access_key: Type.Optional(secret('The access key itself', 'aws_kms')),
  },
  {
    description:
      'The service that manages the workspace’s own key: `{type: "vault_transit", url, mount, key_name, namespace, token}` or `{type: "aws_kms", key_arn, region, access_key_id, secret_access_key}`. The service is tested before this setting is saved. Needs a signed-in owner.',
  },
);
export type KeyServiceUpdate = Static<typeof KeyServiceUpdate>;

export const KeyServiceRead = Type.Object(
  {
    type,
    url: Type.Optional(url),
    mount: Type.Optional(mount),
    key_name: Type.Optional(keyName),
    namespace: Type.Optional(Nullable(namespace)),
    key_arn: Type.Optional(keyArn),
    region: Type.Optional(region),
  },
  {
    description:
      'The service that manages the workspace’s own key, without its credentials; shown only to admins who request a single workspace.',
  },
);
