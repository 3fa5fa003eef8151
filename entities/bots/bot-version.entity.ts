import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Json, NullableText, Reference } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Org } from '../team/org.entity.ts';
import { Bot } from './bot.entity.ts';

/** An immutable snapshot of a bot's saved configuration. */
@Entity('bot_versions')
@Index('uq_bot_versions_bot_version', ['botId', 'version'], { unique: true })
@Index('ix_bot_versions_org_id', ['orgId'])
@Index('ix_bot_versions_author_id', ['authorId'], { where: 'author_id IS NOT NULL' })
@Index('ix_bot_versions_avatar', ['botId', 'avatarId'], { where: 'avatar_id IS NOT NULL' })
export class BotVersion {
  @Id('bot_versions') id!: string;
  @Reference('bot_versions', 'org_id', () => Org) orgId!: string;
  @Reference('bot_versions', 'bot_id', () => Bot) botId!: string;
  /** Counts from 1 for each bot. Numbers are never reused. */
  @Integer('version') version!: number;
  @NullableText('note') note!: string | null;
  /** Format version of the snapshot. */
  @Integer('format') format!: number;
  /** Fields of the API without secrets. Stored as jsonb, which does not depend on the order of the keys. */
  @Json('snapshot') snapshot!: Record<string, unknown>;
  /** The avatar in the snapshot. The image is stored as long as this row exists. */
  @Column({ name: 'avatar_id', type: 'uuid', nullable: true }) avatarId!: string | null;
  /** The person who saved it; null once the account is deleted. */
  @Reference('bot_versions', 'author_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  authorId!: string | null;
  @CreatedAt() createdAt!: Date;
}
