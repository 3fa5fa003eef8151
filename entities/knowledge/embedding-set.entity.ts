import { Entity, Index } from 'typeorm';
import { CreatedAt, Flag, Id, Integer, Reference, Text } from '../../database/columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Org } from '../team/org.entity.ts';

/**
 * All embeddings of a bot's chunks by one model. Searches use the active set. After a change of the model, a
 * second set exists until it is complete.
 */
@Entity('embedding_sets')
@Index('ux_embedding_sets_bot_model', ['botId', 'model'], { unique: true })
@Index('ux_embedding_sets_active', ['botId'], { unique: true, where: 'is_active' })
@Index('ix_embedding_sets_org_id', ['orgId'])
@Index('ix_embedding_sets_model', ['model'])
export class EmbeddingSet {
  @Id('embedding_sets') id!: string;
  @Reference('embedding_sets', 'org_id', () => Org) orgId!: string;
  @Reference('embedding_sets', 'bot_id', () => Bot) botId!: string;
  @Text('model') model!: string;
  /** Number of components of each embedding vector; null until the first vector is stored. */
  @Integer('dimensions', { nullable: true }) dimensions!: number | null;
  @Flag('is_active') isActive!: boolean;
  @CreatedAt() createdAt!: Date;
}
