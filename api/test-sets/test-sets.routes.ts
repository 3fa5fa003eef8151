import { Type } from '@sinclair/typebox';
import { mapPage } from '../../database/page.ts';
import { readQuestionsFromCsv } from '../../services/test-sets/read-questions.ts';
import { MODEL_TRIALS, TEST_QUESTIONS } from '../../services/requests/costs.ts';
import { botSnapshots } from '../bots/bot-snapshots.ts';
import { BotParams } from '../bots/bots.schemas.ts';
import { defineOperation } from '../http/operation.ts';
import { Message, PageSchema } from '../http/schemas/schemas.ts';
import {
  presentListedSet,
  presentQuestionResult,
  presentTestRun,
  presentTestSet,
} from './test-sets.presenter.ts';
import {
  TestQuestionDraftRequest,
  TestQuestionDrafts,
  TestQuestionsAdd,
  TestResultQuery,
  TestResultRead,
  TestRunCreate,
  TestRunParams,
  TestRunRead,
  TestSetCreate,
  TestSetParams,
  TestSetQuery,
  TestSetRead,
  TestSetSummary,
  TestSetUpdate,
} from './test-sets.schemas.ts';

const readAccess = { tag: 'test-sets', auth: 'member', scope: 'bots:read', role: 'viewer' } as const;
const writeAccess = { tag: 'test-sets', auth: 'member', scope: 'bots:write', role: 'member' } as const;
const setPath = '/api/ext/bots/{bot_id}/test-sets/{test_set_id}';
/** Maximum bytes of a request body: enough for the longest test set, if each character is escaped. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

export const listTestSets = defineOperation({
  ...readAccess,
  id: 'listTestSets',
  isLong: true,
  method: 'GET',
  path: '/api/ext/bots/{bot_id}/test-sets',
  params: BotParams,
  query: TestSetQuery,
  responses: { 200: PageSchema(TestSetSummary) },
  summary: 'A page of the bot’s test sets, newest first.',
  handle: async ({ ctx, params, query }, { testSets: { testSets } }) =>
    mapPage(await testSets.list(ctx, params.bot_id, query), presentListedSet),
});

export const createTestSet = defineOperation({
  ...writeAccess,
  id: 'createTestSet',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/bots/{bot_id}/test-sets',
  params: BotParams,
  body: TestSetCreate,
  maxBodyBytes: MAX_BODY_BYTES,
  responses: { 201: TestSetRead },
  errors: ['conflict'],
  summary: 'Create a set of at most 200 questions that test the bot; a bot has at most 20 sets.',
  handle: async ({ ctx, params, body }, { testSets: { testSets } }) => {
    const { name, questions = [], required_percent: requiredPercent = null } = body;
    return presentTestSet(await testSets.create(ctx, params.bot_id, { name, questions, requiredPercent }));
  },
});

export const getTestSet = defineOperation({
  ...readAccess,
  id: 'getTestSet',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: setPath,
  params: TestSetParams,
  responses: { 200: TestSetRead },
  summary: 'Return a test set with its questions.',
  handle: async ({ ctx, params }, { testSets: { testSets } }) =>
    presentTestSet(await testSets.get(ctx, params.bot_id, params.test_set_id)),
});

export const updateTestSet = defineOperation({
  ...writeAccess,
  id: 'updateTestSet',
  readsContent: true,
  method: 'PATCH',
  path: setPath,
  params: TestSetParams,
  body: TestSetUpdate,
  maxBodyBytes: MAX_BODY_BYTES,
  responses: { 200: TestSetRead },
  summary:
    'Replace the name, the required percentage or all questions. A question that keeps its id can be compared with earlier runs.',
  handle: async ({ ctx, params, body }, { testSets: { testSets } }) => {
    const { required_percent: requiredPercent, ...fields } = body;
    const changes = { ...fields, ...(requiredPercent !== undefined && { requiredPercent }) };
    return presentTestSet(await testSets.update(ctx, params.bot_id, params.test_set_id, changes));
  },
});

export const deleteTestSet = defineOperation({
  ...writeAccess,
  id: 'deleteTestSet',
  method: 'DELETE',
  path: setPath,
  params: TestSetParams,
  responses: { 200: Message },
  summary: 'Delete a test set with its runs.',
  handle: async ({ ctx, params }, { testSets: { testSets } }) => {
    await testSets.delete(ctx, params.bot_id, params.test_set_id);
    return { message: 'The test set is deleted.' };
  },
});

export const addTestQuestions = defineOperation({
  ...writeAccess,
  id: 'addTestQuestions',
  readsContent: true,
  method: 'POST',
  path: `${setPath}/questions`,
  params: TestSetParams,
  body: TestQuestionsAdd,
  maxBodyBytes: MAX_BODY_BYTES,
  responses: { 200: TestSetRead },
  errors: ['conflict'],
  summary:
    'Add questions to a test set, as JSON or CSV. A question that the set already contains gets the new expectation.',
  handle: async ({ ctx, params, body: { questions = [], csv } }, { testSets: { testSets } }) => {
    const addedQuestions = [...questions, ...(csv === undefined ? [] : readQuestionsFromCsv(csv))];
    return presentTestSet(
      await testSets.addQuestions(ctx, params.bot_id, params.test_set_id, addedQuestions),
    );
  },
});

export const draftTestQuestions = defineOperation({
  ...writeAccess,
  id: 'draftTestQuestions',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/bots/{bot_id}/test-questions/draft',
  params: BotParams,
  body: TestQuestionDraftRequest,
  responses: { 200: TestQuestionDrafts },
  summary: 'Draft questions for a test set. Nothing is stored.',
  explanation:
    'If `from` is `documents`, the bot’s model writes questions about randomly chosen passages. Without a model, or if the model fails, titles and headings that are questions are returned.',
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, MODEL_TRIALS),
  prepare: ({ ctx, params, body: { from, limit = 10 }, getCloseSignal }, { testSets: { questionDrafts } }) =>
    questionDrafts.draft(ctx, params.bot_id, { from, limit }, getCloseSignal()),
  handle: async ({ prepared }) => prepared,
});

export const startTestRun = defineOperation({
  ...writeAccess,
  id: 'startTestRun',
  readsContent: true,
  method: 'POST',
  path: `${setPath}/runs`,
  params: TestSetParams,
  body: TestRunCreate,
  responses: { 202: TestRunRead },
  errors: ['conflict', 'url_refused'],
  summary: 'Let the bot answer all questions of the set, and compare the answers with what was expected.',
  explanation:
    'Tests the current configuration, or a saved version. No conversation is stored. A set keeps its last 20 runs, and a workspace can have at most five unfinished runs.',
  prepare: async ({ ctx, params, body: { version } }, { bots: { botVersions } }) =>
    version === undefined ? null : botVersions.prepare(ctx, params.bot_id, version, botSnapshots),
  handle: async ({ ctx, params, prepared }, { testSets: { testRuns }, requests: { costLimits } }) => {
    const run = await testRuns.start(ctx, params.bot_id, params.test_set_id, prepared);
    await costLimits.spend(ctx, TEST_QUESTIONS, run.questionCount);
    return presentTestRun(run);
  },
});

export const listTestRuns = defineOperation({
  ...readAccess,
  id: 'listTestRuns',
  isLong: true,
  method: 'GET',
  path: `${setPath}/runs`,
  params: TestSetParams,
  query: TestSetQuery,
  responses: { 200: PageSchema(TestRunRead) },
  summary: 'A page of a test set’s runs, newest first.',
  handle: async ({ ctx, params, query }, { testSets: { testRuns } }) =>
    mapPage(await testRuns.list(ctx, params.bot_id, params.test_set_id, query), presentTestRun),
});

export const getTestRun = defineOperation({
  ...readAccess,
  id: 'getTestRun',
  method: 'GET',
  path: `${setPath}/runs/{run_id}`,
  params: TestRunParams,
  responses: { 200: TestRunRead },
  summary: 'Return the progress and the result of a run.',
  handle: async ({ ctx, params }, { testSets: { testRuns } }) =>
    presentTestRun(await testRuns.get(ctx, params.bot_id, params.test_set_id, params.run_id)),
});

export const listTestResults = defineOperation({
  ...readAccess,
  id: 'listTestResults',
  isLong: true,
  readsContent: true,
  method: 'GET',
  path: `${setPath}/runs/{run_id}/results`,
  params: TestRunParams,
  query: TestResultQuery,
  responses: { 200: Type.Array(TestResultRead) },
  summary:
    'The questions of a run with their answers, optionally compared with the answers of the run `compare_to`.',
  handle: async ({ ctx, params, query }, { testSets: { testRuns } }) => {
    const run = await testRuns.get(ctx, params.bot_id, params.test_set_id, params.run_id);
    return (await testRuns.listResults(ctx, run, query.compare_to)).map(presentQuestionResult);
  },
});

export const cancelTestRun = defineOperation({
  ...writeAccess,
  id: 'cancelTestRun',
  method: 'POST',
  path: `${setPath}/runs/{run_id}/cancel`,
  params: TestRunParams,
  responses: { 200: TestRunRead },
  errors: ['conflict'],
  summary: 'Cancel a run that has not ended; its results so far are kept.',
  handle: async ({ ctx, params }, { testSets: { testRuns } }) =>
    presentTestRun(await testRuns.cancel(ctx, params.bot_id, params.test_set_id, params.run_id)),
});
