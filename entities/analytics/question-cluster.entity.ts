import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';

/** Visitors' questions with the same meaning. It stores no text: the text is in the messages of its members. */
@Entity('question_clusters')
@Index('ix_question_clusters_bot', ['botId'])
@Index('ix_question_clusters_org', ['orgId', 'id'])
export class QuestionCluster {
  @Id('question_clusters') id!: string;
  /** Workspace of the bot. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('question_clusters', 'bot_id', () => Bot) botId!: string;
  @CreatedAt() createdAt!: Date;
  /**
   * Id of the key for the digests that replace the words by which the cluster is found; null: the words are stored as
   * plain text.
   */
  @KeyId() keyId!: string | null;
}
