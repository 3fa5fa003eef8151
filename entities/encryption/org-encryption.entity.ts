import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Flag, Integer, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** Owner of the key that encrypts content: only the platform, or the tenant as well. */
export const encryptionModes = ['platform', 'tenant'] as const;
export type EncryptionMode = (typeof encryptionModes)[number];

/** Progress of the workflow `reseal`. */
export interface ResealCursor {
  /** Name of the reseal target in progress. */
  place: string;
  /** Start of the target's next step, in the target's own format; null for its beginning. */
  from: string | null;
  /** Number of rows and files that this pass has converted. */
  found: number;
  /** All targets were processed. */
  isAtEnd: boolean;
}

/** How a workspace's content is encrypted. A workspace without a row has always had the default. */
@Entity('org_encryption')
@Index('ix_org_encryption_sealing', ['orgId'], { where: 'is_sealing' })
export class OrgEncryption {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_org_encryption' })
  @ForeignKey(() => Org, 'id', { name: 'fk_org_encryption_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @Text('mode', { default: 'platform' }) mode!: EncryptionMode;
  /** Version of the workspace key that encrypts new content; null: new content is plain text. */
  @Integer('key_version', { nullable: true }) keyVersion!: number | null;
  /** Content encrypted under an older version than this is encrypted again. */
  @Integer('sealed_since_version', { default: 0 }) sealedSinceVersion!: number;
  /** When the mode or the key last changed. Processes may use the former state for some seconds after it. */
  @Timestamp('switched_at', { nullable: true }) switchedAt!: Date | null;
  /** The background work of a switch or rotation is not finished. */
  @Flag('is_sealing') isSealing!: boolean;
  /** The last pass over all content left it encrypted. */
  @Flag('is_all_sealed') isAllSealed!: boolean;
  /** Time since which database files may contain former versions of rows that are encrypted now; null if none. */
  @Timestamp('traces_since', { nullable: true }) tracesSince!: Date | null;
  @Json('cursor', { nullable: true }) cursor!: ResealCursor | null;
  /** Number of rows that the present run has encrypted or decrypted. */
  @Counter('resealed_rows') resealedRows!: number;
  /** The last failure of the tenant's key service; null while it works. */
  @NullableText('service_failure') serviceFailure!: string | null;
  /** When the failure began. */
  @Timestamp('service_failed_at', { nullable: true }) serviceFailedAt!: Date | null;
  /** The failure that owners were mailed about. */
  @NullableText('told_failure') toldFailure!: 'refused' | 'silent' | null;
}
