/** A key in the transit engine of HashiCorp Vault or OpenBao, with the names of the API's fields. */
export interface VaultTransitConfig {
  type: 'vault_transit';
  url: string;
  mount: string;
  key_name: string;
  namespace: string | null;
}

/** A key in AWS Key Management Service, with the names of the API's fields. */
export interface AwsKmsConfig {
  type: 'aws_kms';
  key_arn: string;
  region: string;
}

/**
 * Key in a key service that encrypts the workspace's own key. Does not include the credentials of the
 * service.
 */
export type KeyServiceConfig = VaultTransitConfig | AwsKmsConfig;

export const keyServiceTypes = [
  'vault_transit',
  'aws_kms',
] as const satisfies readonly KeyServiceConfig['type'][];
