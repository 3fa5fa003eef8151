import { Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Counter, Flag, Integer, Json, NullableText, Text, Timestamp } from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

/** Whose key content is sealed with: the tenant's, or none but the platform's. */
export const encryptionModes = ['platform', 'tenant'] as const;
export type EncryptionMode = (typeof encryptionModes)[number];

/** How far the workflow `reseal` is. */
export interface ResealCursor {
  /** The place of content that is being walked. */
  place: string;
  /** Where its next step begins, as the place says it; null for its beginning. */
  from: string | null;
  /** How many rows and files this walk has converted. */
  found: number;
  /** All places were walked. */
  isAtEnd: boolean;
}

/** How a workspace's content is sealed; one without a row has never had anything but the default. */
@Entity('org_encryption')
@Index('ix_org_encryption_sealing', ['orgId'], { where: 'is_sealing' })
export class OrgEncryption {
  @PrimaryColumn({ name: 'org_id', type: 'uuid', primaryKeyConstraintName: 'pk_org_encryption' })
  @ForeignKey(() => Org, 'id', { name: 'fk_org_encryption_org_id', onDelete: 'CASCADE' })
  orgId!: string;
  @Text('mode', { default: 'platform' }) mode!: EncryptionMode;
  /** Of the workspace key that content is sealed with from now on; null where it stays readable. */
  @Integer('key_version', { nullable: true }) keyVersion!: number | null;
  /** What was sealed under an older version than this is sealed anew. */
  @Integer('sealed_since_version', { default: 0 }) sealedSinceVersion!: number;
  /** When the mode or the key was changed last; processes may write as before for some seconds after it. */
  @Timestamp('switched_at', { nullable: true }) switchedAt!: Date | null;
  /** What a switch or rotation has to do in the background is not done. */
  @Flag('is_sealing') isSealing!: boolean;
  /** The last walk through all content has left it sealed. */
  @Flag('is_all_sealed') isAllSealed!: boolean;
  /** Since when files of the database may hold former versions of rows that are sealed by now; null: they hold none. */
  @Timestamp('traces_since', { nullable: true }) tracesSince!: Date | null;
  @Json('cursor', { nullable: true }) cursor!: ResealCursor | null;
  /** Rows that the present run has sealed or opened. */
  @Counter('resealed_rows') resealedRows!: number;
  /** What the tenant's key service said last; null for one that has never failed. */
  @NullableText('service_failure') serviceFailure!: string | null;
  /** Since when it has failed. */
  @Timestamp('service_failed_at', { nullable: true }) serviceFailedAt!: Date | null;
  /** Which failure owners were mailed of. */
  @NullableText('told_failure') toldFailure!: 'refused' | 'silent' | null;
}
