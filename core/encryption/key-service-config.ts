/** A key in a transit engine of HashiCorp Vault or OpenBao, as the API names it. */
export interface VaultTransitConfig {
  type: 'vault_transit';
  url: string;
  mount: string;
  key_name: string;
  namespace: string | null;
}

/** A key in AWS Key Management Service. */
export interface AwsKmsConfig {
  type: 'aws_kms';
  key_arn: string;
  region: string;
}

/** The key that wraps a workspace’s own, without the service's credentials. */
export type KeyServiceConfig = VaultTransitConfig | AwsKmsConfig;

export const keyServiceTypes = [
  'vault_transit',
  'aws_kms',
] as const satisfies readonly KeyServiceConfig['type'][];
