import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * Kinds of keys that wrap a workspace key: the installation's master key (`master`), or a key in the
 * customer's key service (`service`).
 */
const keyRoots = ['master', 'service'] as const;
export type KeyRoot = (typeof keyRoots)[number];

/** A workspace key, which wraps the workspace's data keys. The newest version wraps new data keys. */
@Entity('workspace_keys')
@Index('uq_workspace_keys_version', ['orgId', 'version'], { unique: true })
export class WorkspaceKey {
  @Id('workspace_keys') id!: string;
  @Reference('workspace_keys', 'org_id', () => Org) orgId!: string;
  /**
   * Version number of the workspace key. The key service gets this number as authenticated context of the
   * key.
   */
  @Integer('version') version!: number;
  @Text('root') root!: KeyRoot;
  @Text('wrapped_key') wrappedKey!: string;
  @CreatedAt() createdAt!: Date;
}

/** A data key, which encrypts a workspace's content. Encrypted rows refer to it by `key_id`. */
@Entity('data_keys')
@Index('uq_data_keys_month', ['orgId', 'madeVersion', 'month'], { unique: true })
@Index('ix_data_keys_workspace_key', ['workspaceKeyId'])
export class DataKeyRow {
  @Id('data_keys') id!: string;
  @Reference('data_keys', 'org_id', () => Org) orgId!: string;
  /** Workspace key that wraps this data key. */
  @Reference('data_keys', 'workspace_key_id', () => WorkspaceKey) workspaceKeyId!: string;
  /**
   * Version of the workspace key when the data key was created. A newer version may wrap the data key now.
   */
  @Integer('made_version') madeVersion!: number;
  /** Month (UTC) in which the data key encrypts new content. */
  @Column({ name: 'month', type: 'date' }) month!: string;
  @Text('wrapped_key') wrappedKey!: string;
  /** Digest of the data key by which unwrapping detects a wrong key; see `DataKey`. */
  @Text('commitment') commitment!: string;
  @CreatedAt() createdAt!: Date;
}
