import { setTimeout as sleep } from 'node:timers/promises';
import { runToEnd } from '../../core/concurrency/run-to-end.ts';
import { AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { ScopedRepository } from '../../database/scoped.repository.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import { isUnfinished, type TestRun } from '../../entities/test-sets/test-run.entity.ts';
import type { TestQuestion } from '../../entities/test-sets/test-set.entity.ts';
import type { TestResultRepository } from '../../repositories/test-sets/test-result.repository.ts';
import type { TestRunRepository } from '../../repositories/test-sets/test-run.repository.ts';
import type { BotChanges, BotService } from '../bots/bot-service.ts';
import type { Answer } from '../conversations/answering/answerer.ts';
import type { PlaygroundService } from '../conversations/answering/playground-service.ts';
import { digestSettings } from './settings-digest.ts';
import { judgeAnswer } from './judge-answer.ts';

/** Interval in milliseconds for checking whether a test run was canceled while the model answers. */
const POLL_MS = 1000;
/**
 * Maximum number of characters of a bot's answer that are judged and stored: the answers of two runs are read
 * at once.
 */
export const MAX_RESULT_LENGTH = 8000;
const SETTINGS_CHANGED = 'The settings of the bot were changed during the run. Run the test again.';

/** Progress of a run. */
export interface RunProgress {
  answered: number;
  passed: number;
  total: number;
  isFinished: boolean;
}

export interface TestRunnerDeps {
  runs: TestRunRepository;
  results: TestResultRepository;
  botRows: ScopedRepository<Bot>;
  bots: BotService;
  playground: PlaygroundService;
}

/** Lets bots answer the questions of test runs. */
export class TestRunner {
  readonly #deps: TestRunnerDeps;

  constructor(deps: TestRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Answers and judges questions of a test run, in order, until all are answered or the time limit is
   * reached. Stores each result at once, so that a repeated call continues after the last result.
   * @param budgetMs time after which no further question begins
   * @returns null if the run was canceled or deleted
   * @throws AppError `conflict` if the bot's settings were changed during the run, `key_unavailable`
   */
  async answerQuestions(
    scope: OrgScope,
    runId: string,
    budgetMs: number,
    signal: AbortSignal,
  ): Promise<RunProgress | null> {
    const startedAt = performance.now();
    let questions: readonly TestQuestion[] | undefined;
    for (;;) {
      const run = await this.#deps.runs.find(scope, runId);
      if (run === null || !isUnfinished(run)) return run?.status === 'completed' ? toProgress(run) : null;
      if (performance.now() - startedAt > budgetMs) return toProgress(run);
      questions ??= (await this.#deps.runs.open(scope, run)).questions;
      const question = questions[run.answeredCount];
      if (question === undefined || (await this.#deps.botRows.find(scope, run.botId)) === null) return null;
      const bot = await this.#deps.bots.preview(scope, run.botId, (run.configuration ?? {}) as BotChanges);
      if (digestSettings(bot) !== run.settingsDigest) {
        await this.fail(scope, runId, SETTINGS_CHANGED);
        throw new AppError('conflict', SETTINGS_CHANGED);
      }
      const answer = await this.#answer(scope, run, bot, question, signal);
      signal.throwIfAborted();
      await this.#store(scope, run, question, answer);
    }
  }

  /** Marks a test run as failed, unless it has ended. */
  async fail(scope: OrgScope, runId: string, reason: string): Promise<void> {
    await inTransaction(scope, async (tx) => {
      const { runs } = this.#deps;
      const run = await runs.findLocked(tx, runId);
      if (run !== null && isUnfinished(run))
        await runs.update(tx, runId, { status: 'failed', errorMessage: reason, finishedAt: () => 'now()' });
    });
  }

  /**
   * Lets the bot answer a question. Aborts the call of the model once the test run was canceled or deleted.
   */
  async #answer(
    scope: OrgScope,
    run: TestRun,
    bot: Bot,
    { question }: TestQuestion,
    signal: AbortSignal,
  ): Promise<Answer> {
    const [answered, canceled] = [new AbortController(), new AbortController()];
    const watch = this.#abortIfEnded(scope, run.id, canceled, AbortSignal.any([signal, answered.signal]));
    try {
      const until = AbortSignal.any([signal, canceled.signal]);
      return await runToEnd(
        this.#deps.playground.answer(scope, bot, [{ role: 'user', content: question }], until),
      );
    } finally {
      answered.abort();
      await watch;
    }
  }

  /**
   * Polls the state of the test run until `stopSignal` aborts. Aborts `canceled` once the run has ended or is
   * deleted.
   */
  async #abortIfEnded(
    scope: OrgScope,
    runId: string,
    canceled: AbortController,
    stopSignal: AbortSignal,
  ): Promise<void> {
    while (!stopSignal.aborted) {
      await sleep(POLL_MS, undefined, { signal: stopSignal }).catch(() => undefined);
      if (stopSignal.aborted) return;
      // A failed poll of the run is repeated: the answer does not depend on it.
      const run = await this.#deps.runs.find(scope, runId).catch(() => undefined);
      if (run === undefined || (run !== null && isUnfinished(run))) continue;
      canceled.abort();
      return;
    }
  }

  /**
   * Stores the result of a question, unless the test run was canceled meanwhile or another worker has stored
   * it.
   */
  async #store(scope: OrgScope, run: TestRun, question: TestQuestion, answer: Answer): Promise<void> {
    const sources = answer.citations.map(({ title, source_url: url }) => ({ title, url }));
    const content = cutText(answer.content, MAX_RESULT_LENGTH);
    const faults = judgeAnswer(question, {
      content,
      sources,
      isUnanswered: answer.isUnanswered,
      isHandedOver: answer.handoff !== null,
      isFailed: answer.failure !== null,
    });
    const position = run.answeredCount;
    await inTransaction(scope, async (tx) => {
      const { runs, results } = this.#deps;
      const locked = await runs.findLocked(tx, run.id);
      if (locked === null || !isUnfinished(locked) || locked.answeredCount !== position) return;
      await results.insert(tx, {
        id: newId(),
        runId: run.id,
        position,
        hasPassed: faults.length === 0,
        faults,
        answer: content,
        sources,
        model: answer.model,
        latencyMs: answer.latencyMs,
        costUsd: answer.costUsd,
      });
      const isLast = position + 1 === run.questionCount;
      await runs.update(tx, run.id, {
        status: isLast ? 'completed' : 'running',
        answeredCount: position + 1,
        passedCount: locked.passedCount + (faults.length === 0 ? 1 : 0),
        costUsd: addCosts(locked.costUsd, answer.costUsd),
        ...(locked.startedAt === null && { startedAt: () => 'now()' }),
        ...(isLast && { finishedAt: () => 'now()' }),
      });
    });
  }
}

function toProgress({ answeredCount, passedCount, questionCount, status }: TestRun): RunProgress {
  return {
    answered: answeredCount,
    passed: passedCount,
    total: questionCount,
    isFinished: status === 'completed',
  };
}

function addCosts(sum: number | null, cost: number | null): number | null {
  return sum === null && cost === null ? null : (sum ?? 0) + (cost ?? 0);
}
