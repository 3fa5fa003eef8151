import { AppError } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import {
  testRunWorkflowId,
  type RunTestSetInput,
  type WorkflowCommand,
} from '../../core/workflows/commands.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { readPage, type CursorSigner, type Page, type PageQuery } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { TestResult } from '../../entities/test-sets/test-result.entity.ts';
import { isUnfinished, type TestRun } from '../../entities/test-sets/test-run.entity.ts';
import type { TestQuestion } from '../../entities/test-sets/test-set.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { TestResultRepository } from '../../repositories/test-sets/test-result.repository.ts';
import type { ListedRun, TestRunRepository } from '../../repositories/test-sets/test-run.repository.ts';
import type { TestSetRepository } from '../../repositories/test-sets/test-set.repository.ts';
import type { BotChanges, BotService } from '../bots/bot-service.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { digestSettings } from './settings-digest.ts';

/** Maximum number of unfinished runs of test sets in a workspace. */
const MAX_UNFINISHED = 5;
/** Maximum number of runs that are stored for each test set. */
const MAX_RUNS_PER_SET = 20;

/** The version of a bot that a run of a test set tests. */
export interface TestedVersion {
  version: number;
  changes: BotChanges;
}

/** A question of a test run, with its result; null until the bot has answered it. */
export interface QuestionResult {
  question: TestQuestion;
  result: Opened<TestResult> | null;
  /** Result of the same question in the earlier run with which this run is compared. */
  earlier: Opened<TestResult> | null;
}

export interface TestRunServiceDeps {
  runs: TestRunRepository;
  results: TestResultRepository;
  sets: TestSetRepository;
  botRows: BotRepository;
  bots: BotService;
  outbox: OutboxService;
  keyring: CursorSigner;
}

/** Starts, lists and cancels runs of test sets. */
export class TestRunService {
  readonly #deps: TestRunServiceDeps;

  constructor(deps: TestRunServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Starts a test run with all questions of a test set.
   * @param tested version of the bot; null for its current configuration
   * @throws AppError `conflict` if the set has no questions, or the workspace too many unfinished runs;
   *   `forbidden` or `not_found` for bot and set
   */
  start(
    scope: OrgScope,
    botId: string,
    testSetId: string,
    tested: TestedVersion | null,
  ): Promise<Opened<TestRun>> {
    return inTransaction(scope, async (tx) => {
      const { sets, runs, botRows, bots, outbox } = this.#deps;
      await botRows.lock(tx, botId);
      const set = await sets.lockForBot(tx, botId, testSetId);
      const { questions } = await sets.open(tx, set);
      if (questions.length === 0)
        throw new AppError('conflict', 'This test set has no questions; add one first.');
      await runs.lockAll(tx);
      if ((await runs.countUnfinished(tx)) >= MAX_UNFINISHED)
        throw new AppError(
          'conflict',
          `A workspace can have at most ${MAX_UNFINISHED} unfinished test runs; wait until one is finished, or cancel one.`,
        );
      await runs.deleteExcess(tx, testSetId, MAX_RUNS_PER_SET - 1);
      const run = await runs.insert(tx, {
        id: newId(),
        botId,
        testSetId,
        version: tested?.version ?? null,
        configuration: tested?.changes ?? null,
        settingsDigest: digestSettings(await bots.preview(tx, botId, tested?.changes ?? {})),
        questions,
        questionCount: questions.length,
        questionsRevision: set.questionsRevision,
      });
      await outbox.command(tx, buildRunCommand({ orgId: tx.orgId, botId, runId: run.id }, questions.length));
      return run;
    });
  }

  /**
   * Lists the runs of a test set, newest first.
   * @throws AppError `forbidden` or `not_found` for bot and set
   */
  async list(scope: OrgScope, botId: string, testSetId: string, page: PageQuery): Promise<Page<ListedRun>> {
    const { sets, runs, botRows, keyring } = this.#deps;
    await botRows.get(scope, botId);
    await sets.getForBot(scope, botId, testSetId);
    return readPage(runs.queryBySet(scope, testSetId), page, keyring);
  }

  /** @throws AppError `forbidden` or `not_found` for the ids of the bot, test set and run */
  async get(scope: OrgScope, botId: string, testSetId: string, id: string): Promise<TestRun> {
    const { sets, runs, botRows } = this.#deps;
    await botRows.get(scope, botId);
    await sets.getForBot(scope, botId, testSetId);
    return runs.getForSet(scope, testSetId, id);
  }

  /**
   * Lists the questions of a test run with their results, in order.
   * @param comparedId id of another run of the set, whose results are returned with these; undefined for none
   * @throws AppError `forbidden` or `not_found` for bot, set and runs
   */
  async listResults(
    scope: OrgScope,
    run: TestRun,
    comparedId: string | undefined,
  ): Promise<QuestionResult[]> {
    const { runs } = this.#deps;
    const compared = comparedId === undefined ? null : await runs.getForSet(scope, run.testSetId, comparedId);
    const { questions } = await runs.open(scope, run);
    const results = await this.#mapResults(scope, run, questions);
    const earlier = compared
      ? await this.#mapResults(scope, compared, (await runs.open(scope, compared)).questions)
      : new Map<string, Opened<TestResult>>();
    return questions.map((question) => ({
      question,
      result: results.get(question.id) ?? null,
      earlier: earlier.get(question.id) ?? null,
    }));
  }

  /**
   * Cancels a test run. The answer that the bot is generating is discarded.
   * @throws AppError `conflict` if the run has ended; `forbidden` or `not_found` for bot, set and run
   */
  async cancel(scope: OrgScope, botId: string, testSetId: string, id: string): Promise<TestRun> {
    await this.get(scope, botId, testSetId, id);
    return inTransaction(scope, async (tx) => {
      const { runs } = this.#deps;
      const run = await runs.lock(tx, id);
      if (!isUnfinished(run))
        throw new AppError('conflict', `This test run is ${run.status}, so it cannot be canceled.`);
      await runs.update(tx, id, { status: 'canceled', finishedAt: () => 'now()' });
      return runs.get(tx, id);
    });
  }

  /** Returns the results of a test run by the ids of their questions. */
  async #mapResults(
    scope: OrgScope,
    run: Pick<TestRun, 'id'>,
    questions: readonly TestQuestion[],
  ): Promise<Map<string, Opened<TestResult>>> {
    const { results } = this.#deps;
    const opened = await results.openAll(scope, await results.listByRun(scope, run.id));
    return new Map(
      opened.flatMap((result) => {
        const id = questions[result.position]?.id;
        return id === undefined ? [] : [[id, result] as const];
      }),
    );
  }
}

function buildRunCommand(input: RunTestSetInput, questionCount: number): WorkflowCommand {
  return {
    workflow: 'runTestSet',
    action: 'start',
    workflowId: testRunWorkflowId(input.runId),
    args: [input],
    summary: `Test a bot with ${questionCount} questions`,
  };
}
