import { AppError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { TestRunRepository } from '../../repositories/test-sets/test-run.repository.ts';
import type { ListedTestSet, TestSetRepository } from '../../repositories/test-sets/test-set.repository.ts';
import { digestSettings } from './settings-digest.ts';

export interface TestRequirementsDeps {
  sets: TestSetRepository;
  runs: TestRunRepository;
}

/** Requires that a bot passes its test sets before it goes live. */
export class TestRequirements {
  readonly #deps: TestRequirementsDeps;

  constructor(deps: TestRequirementsDeps) {
    this.#deps = deps;
  }

  /**
   * @param bot the bot with the settings that will be published
   * @throws AppError `conflict` unless, for each set, the newest completed run of its current
   *   questions with these settings has reached the required percentage
   */
  async require(scope: OrgScope, bot: Bot): Promise<void> {
    const { sets, runs } = this.#deps;
    const settings = digestSettings(bot);
    for (const set of await sets.listRequired(scope, bot.id)) {
      const run = await runs.findNewestForSettings(scope, set, settings);
      const passed = run === null ? 0 : (100 * run.passedCount) / run.questionCount;
      if (run === null || passed < set.requiredPercent!)
        throw new AppError(
          'conflict',
          describeUnmetRequirement(set, run === null ? null : Math.floor(passed)),
        );
    }
  }
}

function describeUnmetRequirement(
  { name, requiredPercent, questionCount }: ListedTestSet,
  passed: number | null,
): string {
  const result =
    questionCount === 0
      ? 'it has no questions; add questions, or remove its required percentage'
      : passed === null
        ? 'no run of its questions with these settings is complete; run the test set first'
        : `its newest run with these settings passed ${passed}%`;
  return `The test set “${name}” must pass ${requiredPercent}% before the bot goes live, but ${result}.`;
}
