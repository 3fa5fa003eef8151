import { isDeepStrictEqual } from 'node:util';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { requireVisible } from '../../core/text/visible-text.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { mapPage, readPage, type CursorSigner, type Page, type PageQuery } from '../../database/page.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { TestQuestion, TestSet } from '../../entities/test-sets/test-set.entity.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { ListedRun, TestRunRepository } from '../../repositories/test-sets/test-run.repository.ts';
import type { ListedTestSet, TestSetRepository } from '../../repositories/test-sets/test-set.repository.ts';
import {
  applyExpectation,
  completeQuestions,
  MAX_SET_LENGTH,
  measureQuestions,
  type QuestionInput,
} from './read-questions.ts';

const MAX_SETS = 20;
export const MAX_QUESTIONS = 200;

/** Fields of a test set in an API request. */
export interface TestSetInput {
  name: string;
  questions: readonly QuestionInput[];
  requiredPercent: number | null;
}

/** A test set without its questions, and its newest run. */
export interface ListedSet {
  set: ListedTestSet;
  lastRun: ListedRun | null;
}

export interface TestSetServiceDeps {
  runs: TestRunRepository;
  sets: TestSetRepository;
  bots: BotRepository;
  keyring: CursorSigner;
}

/** Manages test sets: questions with which teams test their bots. */
export class TestSetService {
  readonly #deps: TestSetServiceDeps;

  constructor(deps: TestSetServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Lists the test sets of a bot, newest first.
   * @throws AppError `forbidden` or `not_found` for the bot
   */
  async list(scope: OrgScope, botId: string, page: PageQuery): Promise<Page<ListedSet>> {
    const { sets, runs, bots, keyring } = this.#deps;
    await bots.get(scope, botId);
    const found = await readPage(sets.queryByBot(scope, botId), page, keyring);
    const newest = await runs.mapNewest(
      scope,
      found.items.map(({ id }) => id),
    );
    return mapPage(found, (set) => ({ set, lastRun: newest.get(set.id) ?? null }));
  }

  /** @throws AppError `forbidden` or `not_found` for the ids of the bot and test set */
  async get(scope: OrgScope, botId: string, id: string): Promise<Opened<TestSet>> {
    const { sets, bots } = this.#deps;
    await bots.get(scope, botId);
    return sets.open(scope, await sets.getForBot(scope, botId, id));
  }

  /**
   * @throws AppError `conflict` if the bot has too many test sets; `forbidden` or `not_found` for the bot;
   *   `validation_error`
   */
  create(
    scope: OrgScope,
    botId: string,
    { name, questions, requiredPercent }: TestSetInput,
  ): Promise<Opened<TestSet>> {
    requireVisible(name, 'name');
    const completed = completeSet(questions);
    return inTransaction(scope, async (tx) => {
      const { sets, bots } = this.#deps;
      await bots.lock(tx, botId);
      if ((await sets.countByBot(tx, botId)) >= MAX_SETS)
        throw new AppError('conflict', `A bot can have at most ${MAX_SETS} test sets; delete one first.`);
      return sets.insert(tx, { id: newId(), botId, name, requiredPercent, ...countQuestions(completed) });
    });
  }

  /**
   * Replaces the given fields of a test set.
   * @throws AppError `forbidden` or `not_found` for bot and set; `validation_error`
   */
  update(
    scope: OrgScope,
    botId: string,
    id: string,
    { name, questions, requiredPercent }: Partial<TestSetInput>,
  ): Promise<Opened<TestSet>> {
    if (name !== undefined) requireVisible(name, 'name');
    const completed = questions && completeSet(questions);
    return this.#change(scope, botId, id, (set) => ({
      ...(name !== undefined && { name }),
      ...(requiredPercent !== undefined && { requiredPercent }),
      ...(completed && replaceQuestions(set, completed)),
    }));
  }

  /**
   * Adds questions at the end of a test set. If the set already has a question, its expectation is replaced.
   * If a question occurs twice in the request, the last occurrence counts.
   * @throws AppError `conflict` if the set would have too many questions or characters; `forbidden` or `not_found` for bot
   * and set; `validation_error`
   */
  addQuestions(
    scope: OrgScope,
    botId: string,
    id: string,
    questions: readonly QuestionInput[],
  ): Promise<Opened<TestSet>> {
    const completed = completeQuestions(questions);
    return this.#change(scope, botId, id, (set) => {
      const previousQuestions = new Set(set.questions.map(({ question }) => question));
      const inputsByQuestion = new Map(questions.map((input) => [input.question, input]));
      const existingQuestions = set.questions.map((each) =>
        applyExpectation(each, inputsByQuestion.get(each.question)),
      );
      const distinct = [...new Map(completed.map((each) => [each.question, each])).values()];
      const all = [
        ...existingQuestions,
        ...distinct.filter(({ question }) => !previousQuestions.has(question)),
      ];
      if (all.length > MAX_QUESTIONS)
        throw new AppError(
          'conflict',
          `A test set can have at most ${MAX_QUESTIONS} questions; this one would have ${all.length}.`,
        );
      const length = measureQuestions(all);
      if (length > MAX_SET_LENGTH)
        throw new AppError(
          'conflict',
          `The questions, sources and words of a test set can have at most ${MAX_SET_LENGTH} characters together; those of this set would have ${length}.`,
        );
      return replaceQuestions(set, all);
    });
  }

  /**
   * Deletes a test set with its runs.
   * @throws AppError `forbidden` or `not_found` for bot and set
   */
  delete(scope: OrgScope, botId: string, id: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { sets, bots } = this.#deps;
      await bots.get(tx, botId);
      await sets.lockForBot(tx, botId, id);
      await sets.delete(tx, id);
    });
  }

  #change(
    scope: OrgScope,
    botId: string,
    id: string,
    decide: (set: Opened<TestSet>) => Partial<Opened<TestSet>>,
  ): Promise<Opened<TestSet>> {
    return inTransaction(scope, async (tx) => {
      const { sets, bots } = this.#deps;
      await bots.get(tx, botId);
      const set = await sets.open(tx, await sets.lockForBot(tx, botId, id));
      await sets.update(tx, id, { ...decide(set), updatedAt: () => 'now()' });
      return sets.open(tx, await sets.get(tx, id));
    });
  }
}

/**
 * @throws AppError `validation_error` as `completeQuestions`, and for test questions with too many characters
 */
function completeSet(inputs: readonly QuestionInput[]): TestQuestion[] {
  const questions = completeQuestions(inputs);
  const length = measureQuestions(questions);
  if (length > MAX_SET_LENGTH)
    throw invalidField(
      'questions',
      `must have at most ${MAX_SET_LENGTH} characters in questions, sources and words together, not ${length}`,
    );
  return questions;
}

function countQuestions(questions: TestQuestion[]): Pick<Opened<TestSet>, 'questions' | 'questionCount'> {
  return { questions, questionCount: questions.length };
}

function replaceQuestions(
  { questions: previous, questionsRevision: revision }: Opened<TestSet>,
  questions: TestQuestion[],
): Partial<Opened<TestSet>> {
  if (isDeepStrictEqual(questions, previous)) return {};
  return { ...countQuestions(questions), questionsRevision: revision + 1 };
}
