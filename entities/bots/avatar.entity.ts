import { Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { Bot } from './bot.entity.ts';
import { Org } from '../team/org.entity.ts';

/**
 * An image of a bot or of one of its versions. Its URL contains the id, and the image never changes, so
 * browsers may cache it indefinitely.
 */
@Entity('avatars')
@Index('ix_avatars_bot_id', ['botId'])
@Index('ix_avatars_org_id', ['orgId'])
export class Avatar {
  @Id('avatars') id!: string;
  @Reference('avatars', 'org_id', () => Org) orgId!: string;
  @Reference('avatars', 'bot_id', () => Bot) botId!: string;
  @Text('mime_type') mimeType!: string;
  @Integer('size_bytes') sizeBytes!: number;
  @Text('storage_key') storageKey!: string;
  @CreatedAt() createdAt!: Date;
}
