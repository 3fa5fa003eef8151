import assert from 'node:assert/strict';
import { ModelError } from '../../../core/answers/chat-model.ts';
import { CustomEndpointModel } from '../../../adapters/llm/custom-endpoint-model.ts';
import { OpenAiChatModel } from '../../../adapters/llm/openai-chat-model.ts';
import { buildRequest } from './support.ts';

export interface StreamResult {
  text: string;
  /** Numbers of input and output tokens that the model's stream reports, one pair for each report. */
  usage: [number, number][];
  failure: string | null;
}

interface Body {
  bytes: Buffer;
  contentType: string;
  /** Size in bytes of the chunks in which the response body arrives. */
  chunkBytes: number;
  /** Error with which the stream fails after the response body; `hang` for a stream that never ends. */
  end?: Error | 'hang';
}

const limits = { silenceMs: 60_000, totalMs: 60_000 };

/** Returns a response whose body arrives in chunks, like those of `fetch`. */
function respond({ bytes, contentType, chunkBytes, end }: Body, signal: AbortSignal): Response {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason));
    },
    pull(controller) {
      if (at < bytes.length) return controller.enqueue(bytes.subarray(at, (at += chunkBytes)));
      if (end === undefined) controller.close();
      else if (end !== 'hang') controller.error(end);
    },
  });
  return new Response(stream, { headers: { 'content-type': contentType } });
}

export async function ask(body: Body, isCustom: boolean): Promise<StreamResult> {
  const fetch = (_url: string, { signal }: { signal: AbortSignal }) => Promise.resolve(respond(body, signal));
  const endpoint = {
    endpointUrl: 'http://model.test/',
    authHeaderName: null,
    authHeaderValue: null,
    model: null,
    responsePath: null,
  };
  const model = isCustom
    ? new CustomEndpointModel({ endpoint, fetch, ...limits })
    : new OpenAiChatModel({ baseUrl: 'http://model.test/v1', apiKey: null, model: 'm', fetch, ...limits });
  const result: StreamResult = { text: '', usage: [], failure: null };
  try {
    for await (const chunk of model.stream(buildRequest(), new AbortController().signal)) {
      if (chunk.type === 'text') {
        assert.ok(chunk.text.isWellFormed(), JSON.stringify(chunk.text));
        result.text += chunk.text;
      } else result.usage.push([chunk.inputTokens, chunk.outputTokens]);
    }
  } catch (error) {
    assert.ok(error instanceof ModelError, String(error));
    result.failure = error.code;
  }
  return result;
}

/**
 * Asks both kinds of language models, with the response body in chunks of several sizes. Their answers must
 * be equal.
 */
export async function read(
  body: string | Buffer,
  { contentType = 'text/event-stream', end }: { contentType?: string; end?: Error | 'hang' } = {},
): Promise<StreamResult> {
  const bytes = Buffer.from(body);
  const sent = { bytes, contentType, ...(end && { end }) };
  const result = await ask({ ...sent, chunkBytes: Infinity }, false);
  for (const chunkBytes of end === 'hang' ? [] : [1, 7, 100])
    assert.deepEqual(await ask({ ...sent, chunkBytes }, false), result);
  assert.deepEqual(await ask({ ...sent, chunkBytes: Infinity }, true), result);
  return result;
}

export const choice = (delta: unknown, finish?: string | null) =>
  JSON.stringify({ choices: [{ index: 0, delta, ...(finish !== undefined && { finish_reason: finish }) }] });
export const say = (content: unknown, finish: string | null = null) => choice({ content }, finish);
export const events = (...data: string[]) => data.map((each) => `data: ${each}\n\n`).join('');
export const HELLO = [say('Hello'), say(' world')];
export const DONE = '[DONE]';
export const WHOLE = { text: 'Hello world', usage: [], failure: null };
