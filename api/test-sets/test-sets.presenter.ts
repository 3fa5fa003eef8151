import type { Opened } from '../../database/sealed-columns.ts';
import type { TestResult } from '../../entities/test-sets/test-result.entity.ts';
import type { TestSet } from '../../entities/test-sets/test-set.entity.ts';
import type { ListedRun } from '../../repositories/test-sets/test-run.repository.ts';
import type { ListedSet } from '../../services/test-sets/test-set-service.ts';
import type { QuestionResult } from '../../services/test-sets/test-run-service.ts';
import type { TestResultRead, TestRunRead, TestSetRead, TestSetSummary } from './test-sets.schemas.ts';

export function presentTestSet(set: Opened<TestSet>): TestSetRead {
  return {
    id: set.id,
    bot_id: set.botId,
    name: set.name,
    questions: set.questions,
    required_percent: set.requiredPercent,
    created_at: set.createdAt.toISOString(),
    updated_at: set.updatedAt.toISOString(),
  };
}

export function presentListedSet({ set, lastRun }: ListedSet): TestSetSummary {
  return {
    id: set.id,
    bot_id: set.botId,
    name: set.name,
    question_count: set.questionCount,
    required_percent: set.requiredPercent,
    last_run: lastRun && presentTestRun(lastRun),
    created_at: set.createdAt.toISOString(),
    updated_at: set.updatedAt.toISOString(),
  };
}

export function presentTestRun(run: ListedRun): TestRunRead {
  return {
    id: run.id,
    bot_id: run.botId,
    test_set_id: run.testSetId,
    status: run.status,
    version: run.version,
    question_count: run.questionCount,
    answered_count: run.answeredCount,
    passed_count: run.passedCount,
    cost_usd: run.costUsd,
    error_message: run.errorMessage,
    created_at: run.createdAt.toISOString(),
    started_at: run.startedAt?.toISOString() ?? null,
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

export function presentQuestionResult({ question, result, earlier }: QuestionResult): TestResultRead {
  return {
    question,
    result: result && presentResult(result),
    compared: earlier && presentResult(earlier),
  };
}

function presentResult(result: Opened<TestResult>) {
  return {
    passed: result.hasPassed,
    faults: result.faults,
    answer: result.answer,
    sources: result.sources,
    model: result.model,
    latency_ms: result.latencyMs,
    cost_usd: result.costUsd,
  };
}
