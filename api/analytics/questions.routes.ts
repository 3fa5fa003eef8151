import { Type } from '@sinclair/typebox';
import { defineOperation } from '../http/operation.ts';
import { presentQuestion } from './questions.presenter.ts';
import { QuestionCluster, QuestionQuery } from './questions.schemas.ts';

export const listTopQuestions = defineOperation({
  id: 'listTopQuestions',
  readsContent: true,
  method: 'GET',
  path: '/api/analytics/questions',
  tag: 'analytics',
  auth: 'member',
  scope: 'analytics:read',
  role: 'viewer',
  query: QuestionQuery,
  responses: { 200: Type.Array(QuestionCluster) },
  summary:
    'The most frequent questions, and how often the bots could not answer each. Use them to find gaps in the documents.',
  handle: async ({ ctx, query }, { analytics: { questions } }) =>
    (await questions.listTop(ctx, query)).map(presentQuestion),
});
