import { Type } from '@sinclair/typebox';
import { optional, setting, type SettingDefinition } from './setting-definition.ts';

export const encryptionSettings = {
  sealContent: setting(
    'Encryption',
    'PARLEY_SEAL_CONTENT',
    Type.Boolean({
      default: false,
      description:
        'Encrypt the content of all workspaces under the master key. A change converts existing content in the background. Text search then finds only visitor ids and identities. Workspaces with their own key are always encrypted.',
    }),
  ),
  awsKmsUrl: optional(
    'Encryption',
    'PARLEY_AWS_KMS_URL',
    Type.String({
      pattern: '^https?://[^/]+$',
      form: 'an address with http:// or https:// and without a path, such as https://kms.example.com',
      description:
        'URL of AWS KMS, e.g. of a VPC endpoint. Default: the public URL of the region. If the URL has a private address, `PARLEY_OUTBOUND_ALLOW` must permit it.',
    }),
  ),
} satisfies Record<string, SettingDefinition>;
