import { AppError } from '../../core/errors/errors.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type { TestSet } from '../../entities/test-sets/test-set.entity.ts';
import type { TestRunRepository } from '../../repositories/test-sets/test-run.repository.ts';
import type { TestSetRepository } from '../../repositories/test-sets/test-set.repository.ts';
import { digestSettings } from './settings-digest.ts';

export interface TestBarsDeps {
  sets: TestSetRepository;
  runs: TestRunRepository;
}

/** Requires that bots pass their test sets before visitors get their answers. */
export class TestBars {
  readonly #deps: TestBarsDeps;

  constructor(deps: TestBarsDeps) {
    this.#deps = deps;
  }

  /**
   * @param bot the bot with the settings that are to go live
   * @throws AppError `conflict` if a set requires a share of passed answers, and the newest completed run of these
   *   settings has not reached it
   */
  async require(scope: OrgScope, bot: Bot): Promise<void> {
    const { sets, runs } = this.#deps;
    for (const set of await sets.listRequired(scope, bot.id)) {
      const run = await runs.findNewestForSettings(scope, set.id, digestSettings(bot));
      const passed = run === null ? 0 : (100 * run.passedCount) / run.questionCount;
      if (run === null || passed < set.requiredPercent!)
        throw new AppError('conflict', describeMiss(set, run === null ? null : Math.floor(passed)));
    }
  }
}

function describeMiss(
  { name, requiredPercent }: Pick<TestSet, 'name' | 'requiredPercent'>,
  passed: number | null,
): string {
  const result =
    passed === null
      ? 'it has no completed run of these settings; run it first'
      : `its newest run of these settings passed ${passed}%`;
  return `The test set “${name}” must pass ${requiredPercent}% before the bot goes live, but ${result}.`;
}
