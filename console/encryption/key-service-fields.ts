import type { KeyService, KeyServiceChange } from '../client/types.ts';

export type ServiceType = KeyService['type'];
type FieldName = Exclude<keyof KeyServiceChange, 'type'>;
export type ServiceDraft = { type: ServiceType } & Partial<Record<FieldName, string>>;

interface ServiceField {
  name: FieldName;
  label: string;
  hint?: string;
  placeholder?: string;
  /** Whether the API accepts the value but never returns it. */
  isSecret?: boolean;
  isOptional?: boolean;
}

export const serviceNames: Record<ServiceType, string> = {
  vault_transit: 'Vault or OpenBao (transit engine)',
  aws_kms: 'AWS Key Management Service',
};

export const serviceFields: Record<ServiceType, readonly ServiceField[]> = {
  vault_transit: [
    { name: 'url', label: 'Address', placeholder: 'https://vault.example.com' },
    { name: 'mount', label: 'Mount of the transit engine', placeholder: 'transit', isOptional: true },
    { name: 'key_name', label: 'Name of the key', placeholder: 'parley' },
    { name: 'namespace', label: 'Namespace', hint: 'Where your Vault has any.', isOptional: true },
    {
      name: 'token',
      label: 'Token',
      hint: 'It may encrypt and decrypt with the key, and nothing else. It is never shown again.',
      isSecret: true,
    },
  ],
  aws_kms: [
    { name: 'key_arn', label: 'ARN of the key', placeholder: 'arn:aws:kms:eu-central-1:…:key/…' },
    { name: 'region', label: 'Region', placeholder: 'eu-central-1' },
    { name: 'access_key_id', label: 'Access key id', isSecret: true },
    {
      name: 'secret_access_key',
      label: 'Secret access key',
      hint: 'Of a user that may encrypt and decrypt with the key, and nothing else. It is never shown again.',
      isSecret: true,
    },
  ],
};

/** Returns form values for the stored key service. Secrets stay empty, since the API does not return them. */
export function toServiceDraft(service: KeyService | null): ServiceDraft {
  if (service === null) return { type: 'vault_transit' };
  const { type, ...fields } = service;
  return { type, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) };
}

/** Returns the API request with the filled fields of the selected type. */
export function toServiceChange(draft: ServiceDraft): KeyServiceChange {
  const filled = serviceFields[draft.type]
    .map(({ name }) => [name, draft[name]?.trim() ?? ''] as const)
    .filter(([, value]) => value !== '');
  return { type: draft.type, ...Object.fromEntries(filled) };
}
