import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Describes one response of the fake model server. Every field except `text` makes it slow or faulty. */
export interface ModelScript {
  text?: string;
  /** Milliseconds before the response begins. */
  delayMs?: number;
  /** Promise that must resolve before the response begins. */
  after?: Promise<unknown>;
  tokenDelayMs?: number;
  /** Pauses the response stream after `after` tokens until `until` resolves. */
  pause?: { after: number; until: Promise<unknown> };
  /** Never answers (`at-once`), or stops after this number of tokens without closing the connection. */
  hang?: 'at-once' | number;
  /** Closes the connection after this number of tokens. */
  cutAfter?: number;
  /** Ends the stream properly after this number of tokens, but without a finish reason. */
  endAfter?: number;
  /** Replaces the token at this index with an invalid line. */
  garbageAt?: number;
  /** Leaves the token counts out of the response. */
  omitUsage?: boolean;
  /** Sends this response in place of a model's response. */
  raw?: { status: number; contentType: string; body: string; headers?: Record<string, string> };
}

interface RecordedModelRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: ModelRequestBody;
}

export interface ModelRequestBody {
  model?: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  [key: string]: unknown;
}

export interface EmbeddingRequestBody {
  model: string;
  input: string[];
  dimensions?: number;
}

export interface RerankRequestBody {
  query: string;
  documents: string[];
  top_n: number;
  model?: string;
}

export interface ModelServerOptions {
  answer?: (body: ModelRequestBody) => string | ModelScript;
  /**
   * Returns the numbers of the passages that answer a question, as the fake model's judgment; all of them by
   * default.
   */
  judge?: (body: ModelRequestBody) => string | ModelScript;
  /** Returns the embedding vectors that `/embeddings` returns, or a faulty answer. */
  embed?: (body: EmbeddingRequestBody) => number[][] | ModelScript | Promise<number[][] | ModelScript>;
  /** Returns the order of passages that `/rerank` returns, best first, or a faulty answer. */
  rerank?: (body: RerankRequestBody) => number[] | ModelScript;
  models?: string[];
}

export interface ModelServer {
  readonly origin: string;
  /** Base URL of the fake server for an OpenAI-compatible client. */
  readonly baseUrl: string;
  readonly requests: RecordedModelRequest[];
  /** Counts the answers that clients stopped reading before the end. */
  countAbandoned(): number;
  close(): Promise<void>;
}

/** Answers a question as a model would that has read the first passage. */
function buildDefaultAnswer({ messages }: ModelRequestBody): string {
  const question = messages.at(-1)?.content ?? '';
  const hasPassages = messages[0]?.content.includes('<document index="1"');
  return `You asked: “${question}”. ${hasPassages ? 'The documents answer that [1].' : 'I know nothing about that.'}`;
}

/** Judges passages as a model would that finds an answer in every passage. */
function judgeAllRelevant({ messages }: ModelRequestBody): string {
  return [...messages[1]!.content.matchAll(/<document index="(\d+)"/g)]
    .map(([, number]) => number)
    .join(', ');
}

/** Returns whether a request asks a model which passages answer a question. */
export function isJudgmentPrompt({ messages }: ModelRequestBody): boolean {
  return messages[0]!.content.startsWith('You get numbered documents');
}

/** Starts a fake OpenAI-compatible model server on a free loopback port. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: RecordedModelRequest[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    response.on('close', () => (abandoned += response.writableFinished ? 0 : 1));
    handleModelRequest(request, response, options, requests).catch(() => response.destroy());
  });
  // Allow many pending connections: many clients connect at once, and a full backlog would delay a connection
  // by a second.
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    countAbandoned: () => abandoned,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function handleModelRequest(
  request: IncomingMessage,
  response: ServerResponse,
  {
    answer = buildDefaultAnswer,
    judge = judgeAllRelevant,
    embed = embedWords,
    rerank,
    models = ['test-model'],
  }: ModelServerOptions,
  requests: RecordedModelRequest[],
): Promise<void> {
  const path = request.url ?? '/';
  if (request.method === 'GET' && path === '/v1/models') {
    return sendModelJson(response, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
  }
  if (request.method !== 'POST') return void response.writeHead(404).end();
  const body = JSON.parse(await readModelRequest(request)) as ModelRequestBody;
  requests.push({ path, headers: request.headers, body });
  if (path.endsWith('/embeddings')) {
    const embedded = await embed(body as unknown as EmbeddingRequestBody);
    if (!Array.isArray(embedded)) return playScript(embedded, body, response);
    const data = embedded.map((embedding, index) => ({ object: 'embedding', index, embedding }));
    return sendModelJson(response, { object: 'list', data, model: body.model });
  }
  if (rerank && path.endsWith('/rerank')) {
    const ranked = rerank(body as unknown as RerankRequestBody);
    if (!Array.isArray(ranked)) return playScript(ranked, body, response);
    const results = ranked.map((index, place) => ({ index, relevance_score: 1 - place / 100 }));
    return sendModelJson(response, { results });
  }
  const reply = isJudgmentPrompt(body) ? judge(body) : answer(body);
  await playScript(typeof reply === 'string' ? { text: reply } : reply, body, response);
}

const WORD_DIMENSIONS = 64;

/** Returns embedding vectors that are similar if texts share words: each word has its own direction. */
export function embedWords({ input, dimensions = WORD_DIMENSIONS }: EmbeddingRequestBody): number[][] {
  return input.map((text) => {
    const vector = Array.from({ length: dimensions }, () => 0.001);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const digest = createHash('sha256').update(word).digest();
      for (let index = 0; index < dimensions; index += 1) vector[index]! += digest[index % 32]! / 127.5 - 1;
    }
    return vector;
  });
}

async function playScript(
  script: ModelScript,
  body: ModelRequestBody,
  response: ServerResponse,
): Promise<void> {
  if (script.hang === 'at-once') return;
  if (script.delayMs) await sleep(script.delayMs);
  await script.after;
  if (script.raw) {
    const { status, contentType, body: raw, headers } = script.raw;
    response.writeHead(status, { 'content-type': contentType, ...headers }).end(raw);
    return;
  }
  if (body.stream) return playStreamScript(script, body, response);
  const message = { role: 'assistant', content: script.text ?? '' };
  sendModelJson(response, {
    id: 'chatcmpl-test',
    object: 'chat.completion',
    model: body.model,
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    ...(!script.omitUsage && { usage: buildUsage(body, splitTokens(script.text ?? '')) }),
  });
}

async function playStreamScript(
  script: ModelScript,
  body: ModelRequestBody,
  response: ServerResponse,
): Promise<void> {
  const tokens = splitTokens(script.text ?? '');
  const event = { id: 'chatcmpl-test', object: 'chat.completion.chunk', model: body.model };
  const send = (choices: unknown[], usage?: object) =>
    writePaced(response, `data: ${JSON.stringify({ ...event, choices, usage })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  await send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
  for (const [index, content] of tokens.entries()) {
    if (index === script.hang) return;
    if (index === script.endAfter) return void response.end();
    if (index === script.cutAfter) return void response.destroy();
    if (script.tokenDelayMs) await sleep(script.tokenDelayMs);
    if (index === script.pause?.after) await script.pause.until;
    if (response.destroyed) return;
    if (index === script.garbageAt) await writePaced(response, 'data: {"choices": [oops\n\n');
    else await send([{ index: 0, delta: { content }, finish_reason: null }]);
  }
  await send([{ index: 0, delta: {}, finish_reason: 'stop' }]);
  if (!script.omitUsage) await send([], buildUsage(body, tokens));
  response.end('data: [DONE]\n\n');
}

/** Writes a response no faster than the client reads it. */
async function writePaced(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  const settled = new AbortController();
  await Promise.race([
    once(response, 'drain', { signal: settled.signal }),
    once(response, 'close', { signal: settled.signal }),
  ]).finally(() => settled.abort());
}

/** Splits a text into words with the white space before them, which approximates a model's tokens. */
function splitTokens(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

function buildUsage(body: ModelRequestBody, output: string[]) {
  const prompt = body.messages.reduce((sum, { content }) => sum + splitTokens(content).length, 0);
  return {
    prompt_tokens: prompt,
    completion_tokens: output.length,
    total_tokens: prompt + output.length,
  };
}

function sendModelJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function readModelRequest(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
