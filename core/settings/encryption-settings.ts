import { Type } from '@sinclair/typebox';
import { optional, setting, type SettingDefinition } from './setting-definition.ts';

export const encryptionSettings = {
  sealContent: setting(
    'Encryption',
    'PARLEY_SEAL_CONTENT',
    Type.Boolean({
      default: false,
      description:
        'Seal what visitors and teams write in all workspaces, with keys under the master key; what is there already is sealed in the background, and opened again once this is off. Text search then finds visitor ids and identities alone. Workspaces with a key of their own are sealed in any case.',
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
