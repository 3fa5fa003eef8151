import { Type, type Static } from '@sinclair/typebox';
import { testFaults } from '../../entities/test-sets/test-result.entity.ts';
import { testRunStatuses } from '../../entities/test-sets/test-run.entity.ts';
import { expectations } from '../../entities/test-sets/test-set.entity.ts';
import {
  MAX_QUESTION_LENGTH,
  MAX_SET_LENGTH,
  MAX_SOURCE_LENGTH,
  MAX_WORD_LENGTH,
  MAX_WORDS,
} from '../../services/test-sets/read-questions.ts';
import { MAX_RESULT_LENGTH } from '../../services/test-sets/test-runner.ts';
import { draftSources } from '../../services/test-sets/question-drafts.ts';
import { MAX_QUESTIONS } from '../../services/test-sets/test-set-service.ts';
import { BotParams } from '../bots/bots.schemas.ts';
import { VersionParams } from '../bots/versions.schemas.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import {
  DateTime,
  Nullable,
  PageParameters,
  SingleLine,
  StringEnum,
  Strict,
  Uuid,
} from '../http/schemas/schemas.ts';

export const TestSetParams = Type.Object({ ...BotParams.properties, test_set_id: Uuid('The test set.') });
export const TestRunParams = Type.Object({ ...TestSetParams.properties, run_id: Uuid('The test run.') });

export const TestSetQuery = Type.Object(PageParameters, { additionalProperties: false });

export const TestResultQuery = Type.Object(
  {
    compare_to: Type.Optional(
      ResourceId('test_run', 'Another run of the set, whose results are returned for comparison.'),
    ),
  },
  { additionalProperties: false },
);

const nameText = {
  minLength: 1,
  maxLength: 100,
  description: 'The set’s name.',
  examples: ['Prices and refunds'],
};
const Name = SingleLine(nameText);

const RequiredPercent = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description:
        'Percentage of answers that must pass before the bot goes live; null for no requirement. `updateBot` and `restoreBotVersion` refuse settings unless the newest completed run of the set’s current questions with these settings has reached this percentage.',
      examples: [90],
    }),
  ),
);

const questionText = {
  minLength: 1,
  maxLength: MAX_QUESTION_LENGTH,
  description: 'What a visitor asks.',
  examples: ['What does a day pass cost?'],
};
const Expects = StringEnum(expectations, {
  description:
    'What the bot should do: `answer`, say that it has no answer (`refusal`), or ask a person to join (`handoff`).',
});
const sourceText = {
  maxLength: MAX_SOURCE_LENGTH,
  description: 'Part of the title or URL of a document that the answer must cite; null for any.',
  examples: ['Prices and memberships'],
};
const Words = Type.Array(
  Type.String({ minLength: 1, maxLength: MAX_WORD_LENGTH, pattern: '\\S', examples: ['£9'] }),
  {
    maxItems: MAX_WORDS,
    description: 'Words or phrases that the answer must contain, regardless of case.',
  },
);

const TestQuestionInput = Strict(
  {
    id: Type.Optional(
      Uuid('Id of an existing question that is kept. Omit it for a new question, which gets an id.'),
    ),
    question: Type.String({ ...questionText, pattern: '\\S' }),
    expects: Type.Optional(Expects),
    source: Type.Optional(Nullable(Type.String({ ...sourceText, minLength: 1, pattern: '\\S' }))),
    words: Type.Optional(Words),
  },
  {
    $id: 'TestQuestionInput',
    description: 'A question, and what the bot should do with it: `answer` by default.',
  },
);
const Questions = Type.Array(TestQuestionInput, {
  maxItems: MAX_QUESTIONS,
  description: `The questions, in their order. Questions, sources and words of a set have at most ${MAX_SET_LENGTH.toLocaleString('en')} characters together.`,
});

export const TestSetCreate = Strict(
  {
    name: Name,
    questions: Type.Optional({ ...Questions, default: [] }),
    required_percent: RequiredPercent,
  },
  { $id: 'TestSetCreate', description: 'Questions with which to test a bot.' },
);

export const TestSetUpdate = Strict(
  {
    name: Type.Optional(Name),
    questions: Type.Optional(Questions),
    required_percent: RequiredPercent,
  },
  { $id: 'TestSetUpdate', description: 'The fields to replace; absent ones stay unchanged.' },
);

export const TestQuestionsAdd = Strict(
  {
    questions: Type.Optional(Questions),
    csv: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200_000,
        description:
          'Questions as CSV. The first line names the columns: `question`, and optionally `expects`, `source` and `words` (separated by semicolons).',
        examples: ['question,expects,words\nWhat does a day pass cost?,answer,£9\n'],
      }),
    ),
  },
  {
    $id: 'TestQuestionsAdd',
    description: 'Questions to add: `questions`, `csv`, or both.',
  },
);

export const TestRunCreate = Strict(
  {
    version: Type.Optional({
      ...VersionParams.properties.version,
      description: 'The version of the bot to test; by default its current configuration.',
    }),
  },
  { $id: 'TestRunCreate', description: 'The configuration to test.' },
);

export const TestQuestionDraftRequest = Strict(
  {
    from: StringEnum(draftSources, {
      description:
        'The source of the questions: the bot’s `documents`, answers with a thumb up (`ratings`), or `unanswered` questions of the last 30 days.',
    }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 10, description: 'Maximum number of questions.' }),
    ),
  },
  { $id: 'TestQuestionDraftRequest', description: 'The source of the questions, and their maximum number.' },
);

export const TestQuestionDrafts = Type.Object(
  {
    questions: Type.Array(
      Type.Object({
        question: Type.String(questionText),
        expects: Expects,
        source: Nullable(Type.String(sourceText)),
        words: Words,
      }),
      { description: 'Questions to pass to `addTestQuestions` after a person has reviewed them.' },
    ),
    model: Nullable(
      Type.String({ description: 'The model that wrote the questions; null if no model was used.' }),
    ),
    note: Nullable(
      Type.String({ description: 'Reason why there are few questions or none; null otherwise.' }),
    ),
  },
  { $id: 'TestQuestionDrafts', description: 'Drafted questions, which are not stored.' },
);
export type TestQuestionDrafts = Static<typeof TestQuestionDrafts>;

export const TestQuestion = Type.Object(
  {
    id: Uuid('The question’s id.'),
    question: Type.String(questionText),
    expects: Expects,
    source: Nullable(Type.String(sourceText)),
    words: Words,
  },
  { $id: 'TestQuestion', description: 'A question, and what the bot should do with it.' },
);

export type TestQuestion = Static<typeof TestQuestion>;

export const TestSetRead = Type.Object(
  {
    id: Uuid('The set’s id.'),
    bot_id: Uuid('The bot that the set tests.'),
    name: Type.String({ ...nameText, pattern: '\\S' }),
    questions: Type.Array(TestQuestion, { description: 'The questions, in their order.' }),
    required_percent: Nullable(
      Type.Integer({
        description: 'Percentage of answers that must pass before the bot goes live.',
        examples: [90],
      }),
    ),
    created_at: DateTime('Time at which the set was created.'),
    updated_at: DateTime('Time at which the set was last changed.'),
  },
  { $id: 'TestSetRead', description: 'Questions with which to test a bot.' },
);
export type TestSetRead = Static<typeof TestSetRead>;

export const TestRunRead = Type.Object(
  {
    id: Uuid('The run’s id.'),
    bot_id: Uuid('The bot.'),
    test_set_id: Uuid('The test set.'),
    status: StringEnum(testRunStatuses, { description: 'The status.', examples: ['completed'] }),
    version: Nullable(
      Type.Integer({ description: 'The tested version; null for the current configuration.', examples: [3] }),
    ),
    question_count: Type.Integer({ description: 'Number of questions.', examples: [40] }),
    answered_count: Type.Integer({ description: 'Number of questions answered so far.', examples: [40] }),
    passed_count: Type.Integer({ description: 'Number of answers that were as expected.', examples: [37] }),
    cost_usd: Nullable(
      Type.Number({ description: 'Cost of the answers; null if unknown.', examples: [0.012] }),
    ),
    error_message: Nullable(Type.String({ description: 'Why the run failed; null if it did not.' })),
    created_at: DateTime('Time at which the run was created.'),
    started_at: Nullable(DateTime('When the first answer was stored.')),
    finished_at: Nullable(DateTime('Time at which the run ended.')),
  },
  { $id: 'TestRunRead', description: 'A run of a test set: the bot answers its questions in order.' },
);
export type TestRunRead = Static<typeof TestRunRead>;

export const TestSetSummary = Type.Object(
  {
    id: Uuid('The set’s id.'),
    bot_id: Uuid('The bot that the set tests.'),
    name: Type.String({ ...nameText, pattern: '\\S' }),
    question_count: Type.Integer({ description: 'Number of questions.', examples: [40] }),
    required_percent: Nullable(
      Type.Integer({
        description: 'Percentage of answers that must pass before the bot goes live.',
        examples: [90],
      }),
    ),
    last_run: Nullable(TestRunRead),
    created_at: DateTime('Time at which the set was created.'),
    updated_at: DateTime('Time at which the set was last changed.'),
  },
  {
    $id: 'TestSetSummary',
    description: 'A test set with its newest run, if any, but without its questions.',
  },
);
export type TestSetSummary = Static<typeof TestSetSummary>;

export const TestResult = Type.Object(
  {
    passed: Type.Boolean({ description: 'Whether the answer was as expected.' }),
    faults: Type.Array(StringEnum(testFaults), {
      description: 'How the answer differs from what was expected; empty if it passed.',
    }),
    answer: Type.String({
      description: `The text of the answer, at most ${MAX_RESULT_LENGTH.toLocaleString('en')} characters.`,
      examples: ['A day pass costs £9. [1]'],
    }),
    sources: Type.Array(
      Type.Object({
        title: Type.String({ description: 'Title of the document.', examples: ['Prices and memberships'] }),
        url: Nullable(Type.String({ description: 'URL of the document; null if it has none.' })),
      }),
      { description: 'Documents that the answer cites.' },
    ),
    model: Nullable(Type.String({ description: 'The model that answered; null if no model was called.' })),
    latency_ms: Type.Integer({ description: 'Time until the answer was complete.', examples: [850] }),
    cost_usd: Nullable(Type.Number({ description: 'Cost of the answer; null if unknown.' })),
  },
  { $id: 'TestResult', description: 'An answer of the bot, compared with what was expected.' },
);
export type TestResult = Static<typeof TestResult>;

export const TestResultRead = Type.Object(
  {
    question: TestQuestion,
    result: Nullable(TestResult),
    compared: Nullable(TestResult),
  },
  {
    $id: 'TestResultRead',
    description:
      'A question of a run, its result (null until the bot has answered), and its result in the run that `compare_to` specifies.',
  },
);
export type TestResultRead = Static<typeof TestResultRead>;
