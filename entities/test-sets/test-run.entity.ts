import { Column, Entity, Index } from 'typeorm';
import {
  Counter,
  CreatedAt,
  Dollars,
  Id,
  Json,
  NullableText,
  Reference,
  Text,
  Timestamp,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { TestSet, type TestQuestion } from './test-set.entity.ts';

export const testRunStatuses = ['pending', 'running', 'completed', 'failed', 'canceled'] as const;
export type TestRunStatus = (typeof testRunStatuses)[number];

export const unfinishedTestRunStatuses = ['pending', 'running'] as const satisfies TestRunStatus[];

/** Returns whether a test run has not ended. */
export function isUnfinished({ status }: Pick<TestRun, 'status'>): boolean {
  return unfinishedTestRunStatuses.some((each) => each === status);
}

/** A run of a test set: a bot answers the questions, one after the other. */
@Entity('test_runs')
@Index('ix_test_runs_org_id', ['orgId'])
@Index('ix_test_runs_test_set', ['testSetId', 'createdAt', 'id'])
export class TestRun {
  @Id('test_runs') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('test_runs', 'test_set_id', () => TestSet) testSetId!: string;
  @Text('status', { default: 'pending' }) status!: TestRunStatus;
  /** Version of the bot that answers the test questions; null for the bot's current configuration. */
  @Column({ name: 'version', type: 'integer', nullable: true }) version!: number | null;
  /** Configuration of the tested version of the bot, as it was at the start of the test run. */
  @Json('configuration', { nullable: true }) configuration!: object | null;
  /** Digest of the bot's settings on which the answers of the test run depend. */
  @Text('settings_digest') settingsDigest!: string;
  /** The test questions at the start of the run. Later changes to the set do not affect the run. */
  @Sealed() @Json('questions') questions!: Sealed<TestQuestion[]>;
  @Counter('question_count') questionCount!: number;
  /** Revision of the run's questions in the test set. */
  @Counter('questions_revision') questionsRevision!: number;
  @Counter('answered_count') answeredCount!: number;
  @Counter('passed_count') passedCount!: number;
  /** Cost of the test run's answers so far, in US dollars; null if it is unknown. */
  @Dollars('cost_usd', { nullable: true }) costUsd!: number | null;
  /** Reason why the test run failed, as a sentence for people. */
  @NullableText('error_message') errorMessage!: string | null;
  @CreatedAt() createdAt!: Date;
  @Timestamp('started_at', { nullable: true }) startedAt!: Date | null;
  @Timestamp('finished_at', { nullable: true }) finishedAt!: Date | null;
  @KeyId() keyId!: string | null;
}
