import { runToEnd } from '../../core/concurrency/run-to-end.ts';
import { Type } from '@sinclair/typebox';
import { listModels as listAllModels } from '../../adapters/llm/models-and-prices.ts';
import type { Answer } from '../../services/conversations/answering/answerer.ts';
import { MODEL_TRIALS } from '../../services/requests/costs.ts';
import { EVENT_STREAM } from '../http/response/event-stream.ts';
import { defineOperation, replyWith, type ServerSentEvent } from '../http/operation.ts';
import { bot as resource } from './bot.resource.ts';
import { BotParams, ModelDescriptor, ProviderTestResponse } from './bots.schemas.ts';
import { PlaygroundEvent, PlaygroundReply, PlaygroundRequest } from './playground.schemas.ts';

export const listModels = defineOperation({
  id: 'listModels',
  method: 'GET',
  path: '/api/models',
  tag: 'bots',
  auth: 'member',
  scope: 'bots:read',
  role: 'viewer',
  responses: { 200: Type.Array(ModelDescriptor) },
  summary: 'Models that a bot can use, with their limits. A custom endpoint specifies its own model.',
  handle: async (_input, { settings }) => listAllModels(settings),
});

export const testBotProvider = defineOperation({
  id: 'testBotProvider',
  method: 'POST',
  path: '/api/bots/{bot_id}/provider/test',
  tag: 'bots',
  auth: 'member',
  scope: 'bots:write',
  role: 'member',
  params: BotParams,
  responses: { 200: ProviderTestResponse },
  summary: 'Make one minimal model call with the bot’s settings; a failure is also stored in last_error.',
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, MODEL_TRIALS),
  prepare: ({ ctx, params, getCloseSignal }, { conversations: { playground } }) =>
    playground.testProvider(ctx, params.bot_id, getCloseSignal()),
  handle: async ({ ctx, params, prepared: test }, { conversations: { playground } }) => {
    await playground.recordTest(ctx, params.bot_id, test);
    return { ok: test.ok, model: test.model, latency_ms: test.latencyMs, error: test.error };
  },
});

export const tryBot = defineOperation({
  id: 'tryBot',
  readsContent: true,
  method: 'POST',
  path: '/api/bots/{bot_id}/playground',
  tag: 'bots',
  auth: 'member',
  scope: 'bots:write',
  role: 'member',
  params: BotParams,
  body: PlaygroundRequest,
  maxBodyBytes: 2 * 1024 * 1024,
  responses: {
    200: {
      description: 'The answer, complete or streamed.',
      content: { 'application/json': PlaygroundReply, [EVENT_STREAM]: PlaygroundEvent },
    },
  },
  errors: ['url_refused'],
  summary: 'Answer a test message with the saved or a changed configuration. No conversation is stored.',
  limits: ({ ctx }, { requests: { costLimits } }) => costLimits.buildCharges(ctx, MODEL_TRIALS),
  prepare: async (
    { ctx, params, body, accepts, getCloseSignal },
    { bots: { bots }, conversations: { playground } },
  ) => {
    const changes = resource.toChanges(body.config ?? {});
    await bots.checkEndpoint(changes, 'config.');
    const bot = await bots.preview(ctx, params.bot_id, changes);
    const messages = [...(body.history ?? []), { role: 'user' as const, content: body.message }];
    const answering = playground.answer(ctx, bot, messages, getCloseSignal());
    return accepts === EVENT_STREAM ? replyWith.stream(streamEvents(answering)) : wholeReply(answering);
  },
  handle: async ({ prepared }) => prepared,
});

async function wholeReply(answering: AsyncGenerator<string, Answer>) {
  return presentReply(await runToEnd(answering));
}

async function* streamEvents(answering: AsyncGenerator<string, Answer>): AsyncGenerator<ServerSentEvent> {
  let step = await answering.next();
  for (; !step.done; step = await answering.next()) yield { event: 'delta', data: { text: step.value } };
  yield { event: 'done', data: { reply: presentReply(step.value) } };
}

function presentReply(answer: Answer) {
  return {
    content: answer.content,
    citations: answer.citations,
    model: answer.model,
    input_tokens: answer.inputTokens,
    output_tokens: answer.outputTokens,
    cost_usd: answer.costUsd,
    latency_ms: answer.latencyMs,
    ttft_ms: answer.ttftMs,
    error: answer.failure,
    searched_for: answer.searchedFor,
  };
}
