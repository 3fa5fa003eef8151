import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';

/**
 * A group of visitors' questions whose words match. The row has no text, because the questions are stored as
 * messages.
 */
@Entity('question_clusters')
@Index('ix_question_clusters_bot', ['botId'])
@Index('ix_question_clusters_org', ['orgId', 'id'])
export class QuestionCluster {
  @Id('question_clusters') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('question_clusters', 'bot_id', () => Bot) botId!: string;
  @CreatedAt() createdAt!: Date;
  /** Key that marks the cluster's search words with digests; null if the words are stored as plain text. */
  @KeyId() keyId!: string | null;
}
