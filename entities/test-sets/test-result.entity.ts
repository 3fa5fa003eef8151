import { Column, Entity, Index } from 'typeorm';
import {
  CreatedAt,
  Dollars,
  Flag,
  Id,
  Integer,
  Json,
  NullableText,
  Reference,
  Text,
  TextArray,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { TestRun } from './test-run.entity.ts';

/** Kinds of differences between a bot's answer and what the test question expects. */
export const testFaults = [
  'model_failed',
  'not_answered',
  'answered',
  'handed_over',
  'not_handed_over',
  'wrong_source',
  'missing_words',
] as const;
export type TestFault = (typeof testFaults)[number];

/** A document that the answer to a test question cites. */
export interface CitedSource {
  title: string;
  url: string | null;
}

/** Answer of a bot to one question of a test run. */
@Entity('test_results')
@Index('uq_test_results_run_position', ['runId', 'position'], { unique: true })
export class TestResult {
  @Id('test_results') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('test_results', 'run_id', () => TestRun) runId!: string;
  /** Index of the question in the test run, from 0. */
  @Integer('position') position!: number;
  @Flag('has_passed') hasPassed!: boolean;
  @TextArray('faults', { default: () => "'{}'" }) faults!: TestFault[];
  @Sealed() @Text('answer') answer!: Sealed<string>;
  @Sealed() @Json('sources') sources!: Sealed<CitedSource[]>;
  /** Language model that answered the test question; null if none was called. */
  @NullableText('model') model!: string | null;
  @Integer('latency_ms') latencyMs!: number;
  @Dollars('cost_usd', { nullable: true }) costUsd!: number | null;
  @CreatedAt() createdAt!: Date;
  @KeyId() keyId!: string | null;
}
