import { Entity, Index } from 'typeorm';
import {
  CreatedAt,
  Id,
  NullableText,
  Reference,
  Text,
  TextArray,
  Timestamp,
} from '../../database/columns.ts';
import { Org } from './org.entity.ts';
import { User } from '../accounts/user.entity.ts';

/** An API key. `digest` is its SHA-256 in hex; the key itself is never stored. */
@Entity('api_keys')
@Index('uq_api_keys_digest', ['digest'], { unique: true })
@Index('ix_api_keys_org_id', ['orgId'])
@Index('ix_api_keys_created_by_id', ['createdById'])
export class ApiKey {
  @Id('api_keys') id!: string;
  @Reference('api_keys', 'org_id', () => Org) orgId!: string;
  @Reference('api_keys', 'created_by_id', () => User) createdById!: string;
  @Text('name') name!: string;
  @Text('digest') digest!: string;
  @Text('last_four') lastFour!: string;
  @TextArray('scopes') scopes!: string[];
  /** API version that applies to requests with this API key that name no version. */
  @NullableText('api_version') apiVersion!: string | null;
  @Timestamp('expires_at', { nullable: true }) expiresAt!: Date | null;
  @Timestamp('revoked_at', { nullable: true }) revokedAt!: Date | null;
  /** Time at which a rotation created the API key's successor. Both keys work until a grace period ends. */
  @Timestamp('replaced_at', { nullable: true }) replacedAt!: Date | null;
  @Timestamp('last_used_at', { nullable: true }) lastUsedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
}
