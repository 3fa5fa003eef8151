import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** What a workspace key is wrapped with: the installation's master key, or the key in the tenant's own service. */
const keyRoots = ['master', 'service'] as const;
export type KeyRoot = (typeof keyRoots)[number];

/** A key of a workspace, which wraps its data keys and nothing else. The newest version is the present one. */
@Entity('workspace_keys')
@Index('uq_workspace_keys_version', ['orgId', 'version'], { unique: true })
export class WorkspaceKey {
  @Id('workspace_keys') id!: string;
  @Reference('workspace_keys', 'org_id', () => Org) orgId!: string;
  /** Counts up; the service is told it with the key. */
  @Integer('version') version!: number;
  @Text('root') root!: KeyRoot;
  @Text('wrapped_key') wrappedKey!: string;
  @CreatedAt() createdAt!: Date;
}

/** What content is sealed with, named by the `key_id` of its row. */
@Entity('data_keys')
@Index('uq_data_keys_month', ['orgId', 'madeVersion', 'month'], { unique: true })
@Index('ix_data_keys_workspace_key', ['workspaceKeyId'])
export class DataKeyRow {
  @Id('data_keys') id!: string;
  @Reference('data_keys', 'org_id', () => Org) orgId!: string;
  /** Without it, nothing opens this one. */
  @Reference('data_keys', 'workspace_key_id', () => WorkspaceKey) workspaceKeyId!: string;
  /** Of the workspace key that it was made under, which may have made room for another since. */
  @Integer('made_version') madeVersion!: number;
  /** The month (UTC) that it was made for. */
  @Column({ name: 'month', type: 'date' }) month!: string;
  @Text('wrapped_key') wrappedKey!: string;
  /** See `DataKey`. */
  @Text('commitment') commitment!: string;
  @CreatedAt() createdAt!: Date;
}
