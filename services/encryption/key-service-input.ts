import { validationError, type ErrorDetail } from '../../core/errors/errors.ts';
import type { KeyServiceConfig } from '../../core/encryption/key-service-config.ts';
import type { KeyServiceCredentials } from './key-services.ts';

/** Settings of a workspace's key service as the API receives them. */
export interface KeyServiceInput {
  type: KeyServiceConfig['type'];
  url?: string;
  mount?: string;
  key_name?: string;
  namespace?: string | null;
  token?: string;
  key_arn?: string;
  region?: string;
  access_key_id?: string;
  secret_access_key?: string;
}

type Field = Exclude<keyof KeyServiceInput, 'type'>;

const fields: Record<KeyServiceConfig['type'], { required: readonly Field[]; optional: readonly Field[] }> = {
  vault_transit: { required: ['url', 'key_name', 'token'], optional: ['mount', 'namespace'] },
  aws_kms: { required: ['key_arn', 'region', 'access_key_id', 'secret_access_key'], optional: [] },
};

const DEFAULT_MOUNT = 'transit';

export interface ParsedKeyService {
  config: KeyServiceConfig;
  credentials: KeyServiceCredentials;
}

/**
 * Separates a key service's public configuration from its secret credentials.
 * @throws AppError `validation_error` if a field is missing or belongs to another type of key service
 */
export function parseKeyService(input: KeyServiceInput): ParsedKeyService {
  const { required, optional } = fields[input.type];
  const fieldNames = (Object.keys(input) as (keyof KeyServiceInput)[]).filter((name) => name !== 'type');
  const faults = [
    ...required
      .filter((name) => input[name] === undefined)
      .map((name) => createFieldFault(name, 'required', `is required for ${input.type}`)),
    ...fieldNames
      .filter((name) => !required.includes(name) && !optional.includes(name))
      .map((name) => createFieldFault(name, 'invalid', `does not belong to ${input.type}`)),
  ];
  if (faults.length > 0) throw validationError(faults);
  const { url = '', mount = DEFAULT_MOUNT, key_name = '', namespace = null, token = '' } = input;
  if (input.type === 'vault_transit')
    return { config: { type: input.type, url, mount, key_name, namespace }, credentials: { token } };
  const { key_arn = '', region = '', access_key_id = '', secret_access_key = '' } = input;
  return { config: { type: input.type, key_arn, region }, credentials: { access_key_id, secret_access_key } };
}

function createFieldFault(name: Field, code: string, message: string): ErrorDetail {
  return { field: `settings.key_service.${name}`, in: 'body', code, message };
}
