import { Type } from '@sinclair/typebox';
import { optional, setting, type SettingDefinition } from './setting-definition.ts';

export const encryptionSettings = {
  sealContent: setting(
    'Encryption',
    'PARLEY_SEAL_CONTENT',
    Type.Boolean({
      default: false,
      description:
        'Encrypt the content of all workspaces, with keys under the master key. Existing content is encrypted in the background, and decrypted once this is off. Text search then finds only visitor ids and identities. Workspaces with their own key are always encrypted.',
    }),
  ),
  awsKmsUrl: optional(
    'Encryption',
    'PARLEY_AWS_KMS_URL',
    Type.String({
      pattern: '^https?://[^/]+$',
      description:
        'Address of AWS KMS in place of the region’s own, for instance of a VPC endpoint. Where it is private, `PARLEY_OUTBOUND_ALLOW` must permit it.',
    }),
  ),
} satisfies Record<string, SettingDefinition>;
