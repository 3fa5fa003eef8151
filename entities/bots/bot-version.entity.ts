import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Json, NullableText, Reference } from '../../database/columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Org } from '../team/org.entity.ts';
import { Bot } from './bot.entity.ts';

/** The configuration of a bot at one moment, as it was saved; nothing of it changes afterwards. */
@Entity('bot_versions')
@Index('uq_bot_versions_bot_version', ['botId', 'version'], { unique: true })
@Index('ix_bot_versions_org_id', ['orgId'])
@Index('ix_bot_versions_author_id', ['authorId'], { where: 'author_id IS NOT NULL' })
@Index('ix_bot_versions_avatar', ['botId', 'avatarId'], { where: 'avatar_id IS NOT NULL' })
export class BotVersion {
  @Id('bot_versions') id!: string;
  @Reference('bot_versions', 'org_id', () => Org) orgId!: string;
  @Reference('bot_versions', 'bot_id', () => Bot) botId!: string;
  /** From 1 for each bot, and never used again. */
  @Integer('version') version!: number;
  @NullableText('note') note!: string | null;
  /** How the snapshot is to be read. */
  @Integer('format') format!: number;
  /** The fields of the API without secrets; as jsonb it has one form, whatever the order in which its keys came. */
  @Json('snapshot') snapshot!: Record<string, unknown>;
  /** The image that the snapshot shows the bot with, which is kept as long as this row is. */
  @Column({ name: 'avatar_id', type: 'uuid', nullable: true }) avatarId!: string | null;
  /** Who saved it; null once the account is deleted. */
  @Reference('bot_versions', 'author_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  authorId!: string | null;
  @CreatedAt() createdAt!: Date;
}
