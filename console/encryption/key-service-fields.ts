import type { KeyService, KeyServiceChange } from '../client/types.ts';

export type ServiceType = KeyService['type'];
type FieldName = Exclude<keyof KeyServiceChange, 'type'>;
export type ServiceDraft = { type: ServiceType } & Partial<Record<FieldName, string>>;

interface ServiceField {
  name: FieldName;
  label: string;
  hint?: string;
  placeholder?: string;
  /** Whether the field is a secret, which the API accepts but never returns. */
  isSecret?: boolean;
  isOptional?: boolean;
}

export const serviceNames: Record<ServiceType, string> = {
  vault_transit: 'Vault or OpenBao (transit engine)',
  aws_kms: 'AWS Key Management Service',
};

export const serviceFields: Record<ServiceType, readonly ServiceField[]> = {
  vault_transit: [
    { name: 'url', label: 'URL', placeholder: 'https://vault.example.com' },
    { name: 'mount', label: 'Transit engine mount', placeholder: 'transit', isOptional: true },
    { name: 'key_name', label: 'Key name', placeholder: 'parley' },
    {
      name: 'namespace',
      label: 'Namespace',
      hint: 'Required only if your Vault uses namespaces.',
      isOptional: true,
    },
    {
      name: 'token',
      label: 'Token',
      hint: "Use a token that can only encrypt and decrypt with the key. You won't be able to see the token again.",
      isSecret: true,
    },
  ],
  aws_kms: [
    { name: 'key_arn', label: 'Key ARN', placeholder: 'arn:aws:kms:eu-central-1:…:key/…' },
    { name: 'region', label: 'Region', placeholder: 'eu-central-1' },
    { name: 'access_key_id', label: 'Access key ID', isSecret: true },
    {
      name: 'secret_access_key',
      label: 'Secret access key',
      hint: "Use an IAM user that can only encrypt and decrypt with the key. You won't be able to see the secret again.",
      isSecret: true,
    },
  ],
};

/**
 * Returns form values for the workspace's stored key service. Secrets stay empty, since the API does not
 * return them.
 */
export function toServiceDraft(service: KeyService | null): ServiceDraft {
  if (service === null) return { type: 'vault_transit' };
  const { type, ...fields } = service;
  return { type, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) };
}

/**
 * Converts form values to the API request about a key service. Includes only the filled fields of the
 * selected type of key service.
 */
export function toServiceChange(draft: ServiceDraft): KeyServiceChange {
  const filled = serviceFields[draft.type]
    .map(({ name }) => [name, draft[name]?.trim() ?? ''] as const)
    .filter(([, value]) => value !== '');
  return { type: draft.type, ...Object.fromEntries(filled) };
}
