import assert from 'node:assert/strict';
import {
  type ChatModel,
  type ChatRequest,
  ModelError,
  type ModelErrorCode,
  type Passage,
} from '../../../core/answers/chat-model.ts';

export function buildPassage(overrides: Partial<Passage> = {}): Passage {
  return {
    documentId: 'doc-1',
    chunkId: 'chunk-1',
    title: 'Handbook',
    sourceUrl: null,
    text: 'Returns are accepted within 30 days.',
    score: 1,
    headings: [],
    ...overrides,
  };
}

export function buildRequest(overrides: Partial<ChatRequest> = {}): ChatRequest {
  return {
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'How long can I return an item?' }],
    temperature: 0.2,
    maxTokens: 256,
    passages: [],
    ...overrides,
  };
}

export async function collectAnswer(
  model: ChatModel,
  request: ChatRequest,
  signal: AbortSignal = new AbortController().signal,
) {
  const pieces: string[] = [];
  let usage: { inputTokens: number; outputTokens: number } | null = null;
  for await (const chunk of model.stream(request, signal)) {
    if (chunk.type === 'text') pieces.push(chunk.text);
    else usage = { inputTokens: chunk.inputTokens, outputTokens: chunk.outputTokens };
  }
  return { pieces, text: pieces.join(''), usage };
}

/** Asserts that a call of a language model fails with the code, and that its public message reveals no internals. */
export async function assertModelError(call: Promise<unknown>, code: ModelErrorCode): Promise<void> {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ModelError, String(error));
    assert.equal(error.code, code);
    assert.doesNotMatch(error.message, /127\.0\.0\.1|http|sk-|secret-from-upstream|undefined/);
    return true;
  });
}
