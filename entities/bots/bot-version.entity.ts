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
  /** Number of the bot's version, counted from 1 for each bot. Numbers are never reused. */
  @Integer('version') version!: number;
  @NullableText('note') note!: string | null;
  /** Version of the format of the bot's snapshot, for snapshots that older releases of Parley stored. */
  @Integer('format') format!: number;
  /**
   * The bot's configuration in fields of the API, without secrets. The type jsonb makes comparisons
   * independent of the order of keys.
   */
  @Json('snapshot') snapshot!: Record<string, unknown>;
  /** Avatar of the bot in this version. The image is stored as long as the version exists. */
  @Column({ name: 'avatar_id', type: 'uuid', nullable: true }) avatarId!: string | null;
  /** Person who saved the bot's version; null if unknown, or once the account is deleted. */
  @Reference('bot_versions', 'author_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  authorId!: string | null;
  @CreatedAt() createdAt!: Date;
}
