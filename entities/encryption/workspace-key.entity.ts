import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** The key that wraps a workspace key: the installation's master key, or the key in the tenant's own service. */
const keyRoots = ['master', 'service'] as const;
export type KeyRoot = (typeof keyRoots)[number];

/** A key of a workspace. It only wraps data keys. The newest version is in use. */
@Entity('workspace_keys')
@Index('uq_workspace_keys_version', ['orgId', 'version'], { unique: true })
export class WorkspaceKey {
  @Id('workspace_keys') id!: string;
  @Reference('workspace_keys', 'org_id', () => Org) orgId!: string;
  /** Counts up. The key service gets it together with the key. */
  @Integer('version') version!: number;
  @Text('root') root!: KeyRoot;
  @Text('wrapped_key') wrappedKey!: string;
  @CreatedAt() createdAt!: Date;
}

/** A key that encrypts content. The `key_id` of a row names it. */
@Entity('data_keys')
@Index('uq_data_keys_month', ['orgId', 'madeVersion', 'month'], { unique: true })
@Index('ix_data_keys_workspace_key', ['workspaceKeyId'])
export class DataKeyRow {
  @Id('data_keys') id!: string;
  @Reference('data_keys', 'org_id', () => Org) orgId!: string;
  /** The key that wraps this one. */
  @Reference('data_keys', 'workspace_key_id', () => WorkspaceKey) workspaceKeyId!: string;
  /** Version of the workspace key under which it was created. Another version may wrap it since. */
  @Integer('made_version') madeVersion!: number;
  /** The month (UTC) for which it was created. */
  @Column({ name: 'month', type: 'date' }) month!: string;
  @Text('wrapped_key') wrappedKey!: string;
  /** See `DataKey`. */
  @Text('commitment') commitment!: string;
  @CreatedAt() createdAt!: Date;
}
