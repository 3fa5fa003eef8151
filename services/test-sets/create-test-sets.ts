import { AnswerRatingRepository } from '../../repositories/conversations/answer-rating.repository.ts';
import { MessageRepository } from '../../repositories/conversations/message.repository.ts';
import { PassageSampleRepository } from '../../repositories/knowledge/passage-sample.repository.ts';
import { TestResultRepository } from '../../repositories/test-sets/test-result.repository.ts';
import { TestRunRepository } from '../../repositories/test-sets/test-run.repository.ts';
import { TestSetRepository } from '../../repositories/test-sets/test-set.repository.ts';
import type { QuestionService } from '../analytics/question-service.ts';
import type { BotService } from '../bots/bot-service.ts';
import type { PlaygroundService } from '../conversations/answering/playground-service.ts';
import type { ServiceDeps, SharedDeps } from '../service-deps.ts';
import { QuestionDraftService } from './question-drafts.ts';
import { TestRequirements } from './test-requirements.ts';
import { TestRunService } from './test-run-service.ts';
import { TestRunner } from './test-runner.ts';
import { TestSetService } from './test-set-service.ts';

interface TestSetDeps extends SharedDeps {
  botService: BotService;
  playground: PlaygroundService;
  questions: QuestionService;
}

/** Creates the service that checks that a bot has passed its test sets. */
export function createTestRequirements(): TestRequirements {
  return new TestRequirements({ sets: new TestSetRepository(), runs: new TestRunRepository() });
}

/** Creates the services that test the answers of bots with sets of questions. */
export function createTestSets(
  { keyring }: Pick<ServiceDeps, 'keyring'>,
  { bots, outbox, botService, playground, questions }: TestSetDeps,
) {
  const sets = new TestSetRepository();
  const runs = new TestRunRepository();
  const results = new TestResultRepository();
  return {
    testSets: new TestSetService({ sets, runs, bots, keyring }),
    testRuns: new TestRunService({ runs, results, sets, botRows: bots, bots: botService, outbox, keyring }),
    questionDrafts: new QuestionDraftService({
      bots,
      ratings: new AnswerRatingRepository(),
      messages: new MessageRepository(),
      samples: new PassageSampleRepository(),
      questions,
      playground,
    }),
    testRunner: new TestRunner({ runs, results, botRows: bots, bots: botService, playground }),
  };
}
