import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference } from '../../database/columns.ts';
import { KeyId } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';

/** Questions of visitors that mean the same. It knows no word of them: those are its members' messages. */
@Entity('question_clusters')
@Index('ix_question_clusters_bot', ['botId'])
@Index('ix_question_clusters_org', ['orgId', 'id'])
export class QuestionCluster {
  @Id('question_clusters') id!: string;
  /** Its bot's. */
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('question_clusters', 'bot_id', () => Bot) botId!: string;
  @CreatedAt() createdAt!: Date;
  /** What the words are marked with by which it is found; null: they are as they are. */
  @KeyId() keyId!: string | null;
}
