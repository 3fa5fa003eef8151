import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Flag, Integer, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/**
 * Modes of content encryption, by the owner of its key: only the operator (`platform`), or the customer as
 * well (`tenant`).
 */
export const encryptionModes = ['platform', 'tenant'] as const;
export type EncryptionMode = (typeof encryptionModes)[number];

/** Progress of the workflow `reseal`, which encrypts or decrypts a workspace's existing content. */
export interface ResealCursor {
  /** Name of the table or other place whose content is being encrypted or decrypted. */
  place: string;
  /** Position in the table at which the next step of the encryption begins; null for the table's start. */
  from: string | null;
  /** Number of rows and files that the current pass has encrypted or decrypted so far. */
  found: number;
  /** True once all tables and other places were processed. */
  isAtEnd: boolean;
}

/** How a workspace's content is encrypted. A workspace without a row has never changed the default. */
@Entity('org_encryption')
@Index('ix_org_encryption_sealing', ['orgId'], { where: 'is_sealing' })
export class OrgEncryption {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_org_encryption' })
  @ForeignKey(() => Org, 'id', { name: 'fk_org_encryption_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @Text('mode', { default: 'platform' }) mode!: EncryptionMode;
  /** Version of the workspace key that encrypts new content; null if new content is plain text. */
  @Integer('key_version', { nullable: true }) keyVersion!: number | null;
  /**
   * Oldest version of the workspace key that content may have. Content under an older version must be encrypted
   * again.
   */
  @Integer('sealed_since_version', { default: 0 }) sealedSinceVersion!: number;
  /**
   * Time at which the workspace's encryption mode or key last changed. Processes may still use the previous
   * state for some seconds.
   */
  @Timestamp('switched_at', { nullable: true }) switchedAt!: Date | null;
  /** Whether the background work after a change of the encryption mode or key is still running. */
  @Flag('is_sealing') isSealing!: boolean;
  /** Whether the last complete pass left all content of the workspace encrypted. */
  @Flag('is_all_sealed') isAllSealed!: boolean;
  /**
   * Time since which the database's files may contain plain or older copies of rows that are encrypted now;
   * null if the files contain no such copies.
   */
  @Timestamp('traces_since', { nullable: true }) tracesSince!: Date | null;
  @Json('cursor', { nullable: true }) cursor!: ResealCursor | null;
  /** Number of rows that the current run of the workflow has encrypted or decrypted. */
  @Counter('resealed_rows') resealedRows!: number;
  /** Last error of the customer's key service; null while the service works. */
  @NullableText('service_failure') serviceFailure!: string | null;
  /** Time at which the customer's key service began to fail. */
  @Timestamp('service_failed_at', { nullable: true }) serviceFailedAt!: Date | null;
  /** Kind of failure of the key service about which the owners were emailed. */
  @NullableText('told_failure') notifiedFailure!: 'refused' | 'silent' | null;
}
