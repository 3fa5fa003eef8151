import { MODEL_TRIALS } from '../../services/requests/costs.ts';
import { BotParams } from '../bots/bots.schemas.ts';
import { defineOperation } from '../http/operation.ts';
import { AnswerDraft, AnswerDraftRequest, AnswerTrial, AnswerTrialRequest } from './answer-drafts.schemas.ts';

export const draftAnswer = defineOperation({
  tag: 'knowledge',
  auth: 'member',
  scope: 'knowledge:write',
  role: 'member',
  id: 'draftAnswer',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/bots/{bot_id}/answer-drafts',
  params: BotParams,
  body: AnswerDraftRequest,
  responses: { 200: AnswerDraft },
  summary:
    'Draft an answer from the team’s replies, or from documents if there are no replies. Nothing is stored.',
  explanation:
    'Without a model, the team’s replies are returned as they are. `createDocument` with `is_qa` publishes the answer.',
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, MODEL_TRIALS),
  prepare: ({ ctx, params, body, getCloseSignal }, { conversations: { answerDrafts } }) => {
    const { question, conversation_ids: conversationIds = [] } = body;
    return answerDrafts.draft(ctx, params.bot_id, { question, conversationIds }, getCloseSignal());
  },
  handle: async ({ prepared }) => prepared,
});

export const testAnswer = defineOperation({
  tag: 'knowledge',
  auth: 'member',
  scope: 'knowledge:write',
  role: 'member',
  id: 'testAnswer',
  readsContent: true,
  method: 'POST',
  path: '/api/ext/bots/{bot_id}/answer-drafts/test',
  params: BotParams,
  body: AnswerTrialRequest,
  responses: { 200: AnswerTrial },
  summary: 'Answer a message as if a Q&A entry were published. Nothing is stored.',
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, MODEL_TRIALS),
  prepare: ({ ctx, params, body, getCloseSignal }, { conversations: { answerDrafts } }) => {
    const { message, ...entry } = body;
    return answerDrafts.test(ctx, params.bot_id, { message, entry }, getCloseSignal());
  },
  handle: async ({ prepared: { answer, usesEntry } }) => ({
    content: answer.content,
    citations: answer.citations,
    is_unanswered: answer.isUnanswered,
    uses_entry: usesEntry,
    model: answer.model,
    error: answer.failure?.message ?? null,
  }),
});
