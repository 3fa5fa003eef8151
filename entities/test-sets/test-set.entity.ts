import { Column, Entity, Index } from 'typeorm';
import { Counter, CreatedAt, Id, Reference, Text, UpdatedAt, Json } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';

/**
 * Ways in which a bot should treat a test question: answer it, say that it has no answer, or hand over to a
 * person.
 */
export const expectations = ['answer', 'refusal', 'handoff'] as const;
export type Expectation = (typeof expectations)[number];

/** A test question with the answer that a bot should give. */
export interface TestQuestion {
  /** Id of the test question, which stays the same between runs. */
  id: string;
  question: string;
  expects: Expectation;
  /** Part of the title or URL of a document that the answer must cite; null for any. */
  source: string | null;
  /** Words or phrases that the bot's answer to the test question must contain. */
  words: string[];
}

/** Questions with which a team tests the answers of a bot. */
@Entity('test_sets')
@Index('ix_test_sets_org_id', ['orgId'])
@Index('ix_test_sets_bot', ['botId', 'createdAt', 'id'])
export class TestSet {
  @Id('test_sets') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('test_sets', 'bot_id', () => Bot) botId!: string;
  @Text('name') name!: string;
  @Sealed() @Json('questions') questions!: Sealed<TestQuestion[]>;
  @Counter('question_count') questionCount!: number;
  /** Number of changes of the test set's questions. */
  @Counter('questions_revision') questionsRevision!: number;
  /** Percentage of answers that must pass before the bot goes live; null for none. */
  @Column({ name: 'required_percent', type: 'integer', nullable: true }) requiredPercent!: number | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  @KeyId() keyId!: string | null;
}
